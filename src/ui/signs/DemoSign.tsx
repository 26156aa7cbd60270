import { FlaskIcon } from '@phosphor-icons/react/dist/csr/Flask';
import { TempSign } from './TempSign.tsx';

/** Shown above all invented data, on every screen: none of it may look live. */
export function DemoSign() {
  return (
    <TempSign icon={<FlaskIcon weight="bold" aria-hidden />}>
      <strong>Demo data. Not live.</strong>
    </TempSign>
  );
}
