import './ui/tokens.css';
import './ui/base.css';
import './ui/primitives.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { watchDeviceClock } from './time/serverClock.ts';
import { App, preloadPage } from './app/App.tsx';
import { followLaunches, trustOwnScripts } from './app/launch.ts';
import { startServiceWorker } from './offline/serviceWorker.ts';
import { startSession } from './session/session.ts';

trustOwnScripts();
watchDeviceClock();
startSession();
preloadPage();
followLaunches();

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);

// In development the service worker's cached copies would conflict with the server's hot reload.
if (import.meta.env.PROD) void startServiceWorker();
