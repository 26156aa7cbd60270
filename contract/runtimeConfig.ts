/** `/config.json`: settings that an operator can change without rebuilding the app. */
import { z } from 'zod/mini';

export const RuntimeConfig = z.object({
  contact_email: z.string(),
  tile_url: z.string(),
  tile_attribution: z.string(),
  /** The key with which browsers subscribe to our messages (VAPID), base64url. */
  push_key: z.optional(z.string()),
  /** The server has a router that draws routes. */
  router: z.boolean(),
  /** Its sources are recorded ones, so that a sample day can be tried. */
  replay: z.optional(z.boolean()),
});
export type RuntimeConfig = z.infer<typeof RuntimeConfig>;

export const DEFAULT_RUNTIME_CONFIG: RuntimeConfig = {
  contact_email: 'hello@clearway.example',
  tile_url: 'https://tile.openstreetmap.org/{z}/{x}/{y}.png',
  tile_attribution: '© OpenStreetMap contributors',
  router: false,
};
