/** Settings that the operator may change without building the app again: `/config.json` of the server that gave us the app. */
import { DEFAULT_RUNTIME_CONFIG, RuntimeConfig } from '#contract/runtimeConfig.ts';
import ky from 'ky';
import { useEffect, useState } from 'react';
import { REQUEST_TIMEOUT_MS } from './http.ts';
import { tolerant } from './tolerant.ts';

const Settings = tolerant(RuntimeConfig);

/** Never fails: a setting that cannot be read has its default. */
async function loadConfig(): Promise<RuntimeConfig> {
  try {
    const found = Settings.parse(
      await ky('/config.json', { baseUrl: location.origin, retry: 0, timeout: REQUEST_TIMEOUT_MS }).json(),
    );
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

/** The settings; their defaults until they are loaded. */
export function useRuntimeConfig(): RuntimeConfig {
  const [config, setConfig] = useState(DEFAULT_RUNTIME_CONFIG);
  useEffect(() => {
    let gone = false;
    void runtimeConfig().then((found) => gone || setConfig(found));
    return () => {
      gone = true;
    };
  }, []);
  return config;
}
