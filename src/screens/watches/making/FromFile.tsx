import type { CoursePart, FoundRoad } from '#contract/watches/watches.ts';
import { useId, useMemo, useState } from 'react';
import { useAnswer } from '../../../api/useAnswer.ts';
import { type Resolved, resolveWatch } from '../../../api/watches/oneWatch.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { bound, Field } from '../../../ui/controls/Field.tsx';
import { Notice } from '../../../ui/signs/Notice.tsx';
import { SelectField } from '../../../ui/controls/Field.tsx';
import { DIRECTION_WORDS } from '../../../watches/routeWords.ts';
import { Problems } from './Problems.tsx';

/** Makes a route from a file of another program. Only its line is sent. */
export function FromFile({
  resolved,
  onResolved,
}: {
  resolved: Resolved | null;
  onResolved: (found: Resolved | null, name: string) => void;
}) {
  const id = useId();
  const [file, setFile] = useState<File | null>(null);
  const [chosen, setChosen] = useState(0);
  const [roads, setRoads] = useState<string[]>([]);
  const [road, setRoad] = useState('');
  const { data: lines = [], ...reading } = useAnswer(
    file,
    async () => (await import('./readLineFile.ts')).readFile(file!), // it asks only with a file
    'This file holds no track or line that we can read.',
  );
  const line = lines[chosen];
  const asked = useMemo(
    () =>
      line && {
        geometry: { type: 'LineString' as const, coordinates: line.points },
        ...(roads.length > 0 && { roads }),
      },
    [line, roads],
  );
  const { failure, isLoading } = useAnswer(
    asked ?? null,
    (signal) => resolveWatch(asked!, signal), // it asks only about a line
    'Unable to read this route',
    { take: (found) => onResolved(found, line?.name ?? '') },
  );

  const found = resolved?.legs.flatMap((leg) => (leg.type === 'exact' ? leg.roads : [])) ?? [];
  const remove = (index: number) =>
    resolved &&
    onResolved(
      {
        ...resolved,
        legs: resolved.legs.map((leg) =>
          leg.type === 'exact' ? { ...leg, roads: leg.roads.filter((one) => one !== found[index]) } : leg,
        ),
        course: resolved.course.filter((part) => !isAlong(part, found[index]!)), // each row of the list has one
      },
      line?.name ?? '',
    );

  return (
    <div data-stack data-top="3" data-text="line">
      <label htmlFor={id} data-text="strong">
        A GPX, KML or GeoJSON file, or the shapes.txt of a GTFS feed
      </label>
      <input
        id={id}
        type="file"
        accept=".gpx,.kml,.geojson,.json,.txt,.csv"
        onChange={({ target }) => {
          if (!target.files?.[0]) return;
          setFile(target.files[0]);
          setChosen(0);
          setRoads([]);
          onResolved(null, '');
        }}
      />
      {(reading.isLoading || isLoading) && <p role="status">Reading...</p>}
      {(reading.failure ?? failure) && <Notice>{reading.failure ?? failure}</Notice>}
      {lines.length > 1 && (
        <SelectField
          label="Which line?"
          value={chosen}
          onChange={({ target }) => {
            setChosen(Number(target.value));
            onResolved(null, '');
          }}
        >
          {lines.map((line, index) => (
            <option key={line.name} value={index}>
              {line.name}
            </option>
          ))}
        </SelectField>
      )}
      {resolved && (
        <>
          <p>
            <b>
              {found.length > 0 ? thinkWords(resolved) : 'We found no road that we know along this line.'}
            </b>
          </p>
          <ul data-ruled aria-label="Roads">
            {found.map((one, index) => (
              <li key={`${one.road} ${one.from_km}`} data-split>
                <span>
                  {one.road}, km {Math.round(one.from_km)}–{Math.round(one.to_km)}
                </span>
                <Button small aria-label={`Remove the ${one.road}`} onClick={() => remove(index)}>
                  Remove
                </Button>
              </li>
            ))}
          </ul>
          <form
            data-row
            data-align="end"
            onSubmit={(event) => {
              event.preventDefault();
              if (!road.trim()) return;
              setRoads([...roads, road.trim()]);
              setRoad('');
            }}
          >
            <Field label="Another road" {...bound(road, setRoad)} />
            <Button type="submit">Add</Button>
          </form>
          <Problems problems={resolved.problems.filter(({ level }) => level !== 'understood')} />
        </>
      )}
    </div>
  );
}

const isAlong = (part: CoursePart, found: FoundRoad): boolean =>
  part.road === found.road && part.from_km < found.to_km && part.to_km > found.from_km;

/** "We think this runs on M1 J43–J6A southbound, M25 J21–J15 anti-clockwise." */
function thinkWords({ course }: Resolved): string {
  const parts = course.flatMap(({ road, from, to, direction }) =>
    road
      ? [
          [road, from && to && `${from}–${to}`, direction && DIRECTION_WORDS[direction]]
            .filter(Boolean)
            .join(' '),
        ]
      : [],
  );
  return `We think this runs on ${parts.join(', ')}.`;
}
