import { pageAddress } from '#contract/addresses.ts';
import { Redirect } from 'wouter';
import { usePageQuery } from '../device/address/useAddress.ts';

/** `/filters` is an earlier address: filters are now whole feeds among the routes and areas. */
export function FiltersMoved() {
  const { new: conditions } = usePageQuery('filters');
  return (
    <Redirect
      to={pageAddress('routes', {
        kind: 'feeds',
        ...(conditions !== undefined && { new: 'feeds', conditions }),
      })}
      replace
    />
  );
}
