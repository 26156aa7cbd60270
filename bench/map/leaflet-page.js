/** The usual page: Leaflet, its clusters, and a plain list of all events, loaded once. */
import 'leaflet/dist/leaflet.css';
import 'leaflet.markercluster/dist/MarkerCluster.css';
import 'leaflet.markercluster/dist/MarkerCluster.Default.css';
import L from 'leaflet';
import { FIRST_ZOOM, LONDON } from './points.ts';

// The plugin adds itself to a global.
Object.assign(window, { L });
await import('leaflet.markercluster');

const parameters = new URLSearchParams(location.search);
const map = L.map('map').setView([LONDON.latitude, LONDON.longitude], FIRST_ZOOM);
L.tileLayer(parameters.get('tiles'), { maxZoom: 19 }).addTo(map);
const group = L.markerClusterGroup({ chunkedLoading: true }).addTo(map);

// All events at once: this page has nothing to request when the map moves.
const query = new URLSearchParams({ north: 61, south: 49, east: 2, west: -9, max_results: 500 });
const { events } = await (await fetch(`${parameters.get('events')}?${query}`)).json();
group.addLayers(
  events.map(({ latitude, longitude, name }) => L.marker([latitude, longitude], { title: name })),
);
document.getElementById('list').replaceChildren(
  ...events.map(({ name, category, start_datetime, venue_name, venue_town }) => {
    const row = document.createElement('li');
    const title = document.createElement('h3');
    title.textContent = name;
    const words = document.createElement('p');
    words.textContent = [category, start_datetime, venue_name, venue_town].join(', ');
    row.append(title, words);
    return row;
  }),
);
