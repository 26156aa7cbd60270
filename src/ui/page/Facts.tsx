import { type ComponentProps, Fragment, type ReactNode } from 'react';

/** Names, each with its value beside it. Values that are not known are left out, with their names. */
export const Facts = ({
  facts,
  ...list
}: { facts: readonly (readonly [name: string, value: ReactNode])[] } & ComponentProps<'dl'>) => (
  <dl data-facts {...list}>
    {facts
      .filter(([, value]) => value)
      .map(([name, value], index) => (
        // oxlint-disable-next-line react/no-array-index-key -- two tickets or stations can have one name
        <Fragment key={index}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
  </dl>
);
