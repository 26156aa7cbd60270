/**
 * `npm run icons`: draws the icons in public/ from the two marks.
 *
 * They are drawn once and committed, and not at each build: the marks hardly ever change, and a first start on a new
 * machine should not depend on an image library's native code. Run it again after changing a mark.
 *
 * `mark-tight.svg` is for small sizes and `purpose: any`. `mark.svg` keeps everything important inside the central 80
 * % circle, so any mask shape works. The drawing includes this safe zone, so no padding is added.
 */
import { generateMaskableAsset, generateTransparentAsset } from '@vite-pwa/assets-generator/api';
import { copyFile, readFile } from 'node:fs/promises';

const YELLOW = '#ffd400';
const PNG = { compressionLevel: 9, quality: 60 };

const mark = (name: string) => new URL(`marks/${name}`, import.meta.url);
const published = (name: string) => new URL(`../public/${name}`, import.meta.url).pathname;

const whole = await readFile(mark('mark.svg'));
const tight = await readFile(mark('mark-tight.svg'));
const options = {
  padding: 0,
  outputOptions: PNG,
  resizeOptions: { fit: 'contain', background: YELLOW },
} as const;

for (const size of [16, 32, 48]) {
  const icon = await generateTransparentAsset('png', tight, size, options);
  await icon.toFile(published(`favicon-${size}.png`));
}
for (const size of [192, 512]) {
  const any = await generateTransparentAsset('png', tight, size, options);
  await any.toFile(published(`icon-${size}.png`));
  const maskable = await generateMaskableAsset('png', whole, size, options);
  await maskable.toFile(published(`icon-maskable-${size}.png`));
}
const apple = await generateMaskableAsset('png', whole, 180, options);
await apple.toFile(published('apple-touch-icon.png'));

await copyFile(mark('mark-tight.svg'), published('favicon.svg'));
