import './ui/tokens.css';
import './ui/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { watchDeviceClock } from './api/serverClock.ts';
import { App } from './app/App.tsx';
import { followLaunches } from './app/launch.ts';
import { serverNow } from './offline/freshness.ts';
import { startServiceWorker } from './offline/serviceWorker.ts';
import { startSession } from './session/session.ts';
import { applyTheme } from './ui/theme.ts';
import { Clock } from './ui/TimeAgo.tsx';
import { isWall } from './wall/wallAddress.ts';

if (!isWall()) applyTheme();
watchDeviceClock();
startSession();
followLaunches();

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Clock value={serverNow}>
      <App />
    </Clock>
  </StrictMode>,
);

// In development the server's hot reload and a worker's kept copies would contradict each other.
if (import.meta.env.PROD) void startServiceWorker();
