import 'leaflet/dist/leaflet.css';
import 'leaflet.markercluster/dist/MarkerCluster.css';
import 'leaflet.markercluster/dist/MarkerCluster.Default.css';
import L from 'leaflet';
import { FIRST_ZOOM, LONDON, points } from './points.ts';

// The plugin adds itself to a global.
Object.assign(window, { L });
await import('leaflet.markercluster');

let events = [];
let map;

Object.assign(window, {
  prepare(count) {
    events = points(count);
  },
  /** The usual way: one marker an event, loaded in chunks. */
  async start(tileUrl) {
    map = L.map('map').setView([LONDON.latitude, LONDON.longitude], FIRST_ZOOM);
    L.tileLayer(tileUrl, { maxZoom: 19 }).addTo(map);
    await new Promise((resolve) => {
      const group = L.markerClusterGroup({
        chunkedLoading: true,
        chunkProgress: (done, all) => {
          if (done === all) resolve();
        },
      });
      group.addLayers(
        events.map(({ latitude, longitude, name }) => L.marker([latitude, longitude], { title: name })),
      );
      map.addLayer(group);
    });
    while (!document.querySelector('.leaflet-marker-icon')) await new Promise(requestAnimationFrame);
  },
  zoomTo: (zoom) =>
    new Promise((resolve) => {
      map.once('zoomend', () => resolve());
      map.setView([LONDON.latitude, LONDON.longitude], zoom);
    }),
});
