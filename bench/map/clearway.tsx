import '../../src/ui/tokens.css';
import '../../src/ui/base.css';
import { createRoot } from 'react-dom/client';
import { EventMap } from '../../src/screens/map/marks/EventMap.tsx';
import { setView, useMapFilters } from '../../src/screens/map/mapFilters.ts';
import { type BenchPoint, FIRST_ZOOM, LONDON, points } from './points.ts';

const nothing = () => {};
const NONE: [] = [];

let moved = nothing;

/** The map of the product, with this many events. */
function Bench({ events, tileUrl }: { events: BenchPoint[]; tileUrl: string }) {
  const view = useMapFilters((filters) => filters.view);
  return (
    <EventMap
      view={view}
      tileUrl={tileUrl}
      events={events}
      incidents={NONE}
      selected={null}
      popup={null}
      onMoved={(frame) => {
        setView(frame.view);
        moved();
      }}
      onSelectEvent={nothing}
      onSelectIncident={nothing}
      onOpenPlace={nothing}
      onUnavailable={() => {
        throw new Error('No WebGL2 here');
      }}
    />
  );
}

let events: BenchPoint[] = [];

Object.assign(window, {
  prepare(count: number) {
    events = points(count);
    setView({ ...LONDON, zoom: FIRST_ZOOM });
  },
  async start(tileUrl: string) {
    createRoot(document.getElementById('map')!).render(<Bench events={events} tileUrl={tileUrl} />);
    while (!document.querySelector('[data-order]')) await new Promise(requestAnimationFrame);
  },
  zoomTo: (zoom: number) =>
    new Promise<void>((resolve) => {
      moved = resolve;
      setView({ ...LONDON, zoom });
    }),
});
