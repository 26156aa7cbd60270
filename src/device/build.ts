/** The build of the app: the hash of its entry script, which changes with any part of the app. */
export const BUILD =
  /\/[^/-]*-([\w-]+)\.js$/.exec(
    document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src ?? '',
  )?.[1] ?? 'dev';
