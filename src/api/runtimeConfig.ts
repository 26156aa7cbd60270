/** Settings that the operator may change without building the app again: `/config.json` of the server of this page. */
import { DEFAULT_RUNTIME_CONFIG, RuntimeConfig } from '#contract/runtimeConfig.ts';
import { answerTo } from './http.ts';
import { tolerant } from './tolerant.ts';
import { useAnswer } from './useAnswer.ts';

const Settings = tolerant(RuntimeConfig);

/** Never fails: a setting that cannot be read keeps its default. */
async function loadConfig(): Promise<RuntimeConfig> {
  try {
    const { text } = await answerTo(new URL('/config.json', location.origin).href);
    const found = Settings.parse(JSON.parse(text));
    return {
      contact_email: found.contact_email || DEFAULT_RUNTIME_CONFIG.contact_email,
      tile_url: found.tile_url || DEFAULT_RUNTIME_CONFIG.tile_url,
      tile_attribution: found.tile_attribution || DEFAULT_RUNTIME_CONFIG.tile_attribution,
      router: found.router ?? false,
      ...(found.replay && { replay: true }),
      ...(found.push_key && { push_key: found.push_key }),
    };
  } catch {
    return DEFAULT_RUNTIME_CONFIG;
  }
}

let loading: Promise<RuntimeConfig> | undefined;

/** Loaded once. */
export const runtimeConfig = (): Promise<RuntimeConfig> => (loading ??= loadConfig());

/** The settings; the defaults until they are loaded. */
export const useRuntimeConfig = (): RuntimeConfig =>
  useAnswer('config', runtimeConfig, '').data ?? DEFAULT_RUNTIME_CONFIG;
