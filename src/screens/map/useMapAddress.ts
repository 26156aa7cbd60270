import { useEffect, useRef } from 'react';
import { useNavigate, usePath, useSearch } from '../../device/address/useAddress.ts';
import { addressOf, filtersOf, useMapFilters } from './mapFilters.ts';

/** The filters are in the address too. Filters in an address take precedence over remembered ones. */
export function useMapAddress() {
  const navigate = useNavigate();
  const path = usePath();
  const search = useSearch();
  const open = search ? `${path}?${search}` : path;
  const written = useRef<string | null>(null);
  const address = useMapFilters(addressOf);

  useEffect(() => {
    const asked = open === written.current ? null : filtersOf(search);
    written.current = open;
    if (asked) {
      useMapFilters.setState(asked, true);
      return;
    }
    if (address === open) return;
    written.current = address;
    navigate(address, { replace: true });
  }, [open, search, address, navigate]);
}
