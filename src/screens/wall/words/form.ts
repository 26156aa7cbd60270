/** The form of a screen: like a television, wider than that, or upright. */
import { createContext, use } from 'react';
import { useMedia } from '../../../ui/useMedia.ts';

export type Form = 'usual' | 'wide' | 'upright';

/** With its two in large type, for people who pass by. */
export type Sheet = Form | 'large' | 'tall';

/** Around a board in large type. */
export const LargeType = createContext(false);

const Given = createContext<Form | null>(null);

/** Sets the form for a picture of another screen. */
export const DrawnAs = Given.Provider;

export const formOf = (width: number, height: number): Form =>
  width <= height ? 'upright' : width * 10 >= height * 22 ? 'wide' : 'usual';

export function useForm(): Form {
  const given = use(Given);
  const upright = useMedia('(max-aspect-ratio: 1 / 1)');
  const wide = useMedia('(min-aspect-ratio: 22 / 10)');
  return given ?? (upright ? 'upright' : wide ? 'wide' : 'usual');
}

export const sheetOf = (form: Form, isLarge: boolean): Sheet =>
  !isLarge ? form : form === 'upright' ? 'tall' : 'large';

export const useSheet = (): Sheet => sheetOf(useForm(), use(LargeType));
