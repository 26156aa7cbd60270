import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { boardBudget } from './build/budget.ts';
import { chunkGroups } from './build/chunks.ts';
import { iconWeights } from './build/iconWeights.ts';
import { outline } from './build/outline.ts';
import { silhouette } from './build/silhouette.ts';
import { precompress } from './build/precompress.ts';
import { pureSchemas } from './build/pureSchemas.ts';
import { buildServer } from './build/server.ts';
import { LINK_ADDRESS, LINK_PROTOCOL, pageAddress, START_ADDRESS } from './contract/addresses.ts';

/** The black of the navigation bar and the wall, so that a starting app never flashes white. */
const GROUND = '#0a0b0c';

const shortcutIcons = [{ src: '/icon-192.png', sizes: '192x192', type: 'image/png' }];

export default defineConfig({
  plugins: [
    react(),
    iconWeights(),
    outline(),
    silhouette(),
    boardBudget(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'sw',
      filename: 'sw.ts',
      registerType: 'prompt',
      injectRegister: false, // src/offline/serviceWorker.ts registers it
      includeManifestIcons: false, // globPatterns has them already
      manifest: {
        id: '/disruptions',
        name: 'Clearway',
        short_name: 'Clearway',
        description: 'Live disruptions board and event map for UK travel operators.',
        lang: 'en-GB',
        dir: 'ltr',
        start_url: START_ADDRESS,
        scope: '/',
        display: 'standalone',
        display_override: ['standalone', 'minimal-ui'], // a bar with Back and Reload is better than a browser tab
        orientation: 'any',
        // A link opens in the running window, which goes to its address itself (src/app/launch.ts).
        launch_handler: { client_mode: ['focus-existing', 'navigate-existing', 'auto'] },
        handle_links: 'preferred',
        protocol_handlers: [{ protocol: LINK_PROTOCOL, url: LINK_ADDRESS }],
        theme_color: GROUND,
        background_color: GROUND,
        categories: ['travel', 'navigation', 'business'],
        icons: [
          { src: '/icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
          { src: '/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
          { src: '/icon-maskable-192.png', sizes: '192x192', type: 'image/png', purpose: 'maskable' },
          { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
        ],
        shortcuts: [
          {
            name: 'Disruptions Board',
            short_name: 'Board',
            description: 'Rail, roads, aviation, weather and public safety, live',
            url: pageAddress('board'),
            icons: shortcutIcons,
          },
          {
            name: 'Critical alerts',
            description: 'Those that the number on the app’s icon counts',
            url: pageAddress('list', { severity: 'critical' }),
            icons: shortcutIcons,
          },
          {
            name: 'Wall display',
            description: 'The board on one screen, to be read from across a room',
            url: pageAddress('board', { display: 'wall' }),
            icons: shortcutIcons,
          },
          {
            name: 'Map',
            description: 'Events near your routes',
            url: pageAddress('map'),
            icons: shortcutIcons,
          },
        ],
      },
      injectManifest: {
        // The whole app, with only the fonts that English place names need: a wall must never show a fallback font.
        globPatterns: ['**/*.{js,css,html,svg,png}', '**/*-latin-*.woff2'],
      },
    }),
    pureSchemas(),
    precompress(),
    buildServer(),
  ],
  build: {
    target: 'es2023',
    sourcemap: false,
    // Every asset is a separate file: our content policy allows fonts and images only from the app's own origin.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false }, // every browser that runs es2023 has it
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: chunkGroups(),
        },
      },
    },
    reportCompressedSize: false, // build/budget.ts prints the figure that counts
    chunkSizeWarningLimit: 1200, // the map library alone is 1.1 MB; it loads with the map page
  },
});
