import type { Alert } from '../api/disruptions.ts';
import { gradeOf } from '../feeds/alerts.ts';
import { shortForms } from '../feeds/shortTitles.ts';
import { GRADE_WORDS } from '../ui/Severity.tsx';
import { type Face, fitting } from './fit.ts';

/** An alert's title in the fullest form that fits; where not even a word of it does, "High alert": no line is empty. */
export const shownTitle = (alert: Alert, width: number, face: Face, forms = shortForms(alert)): string =>
  fitting(forms, width, face) || `${GRADE_WORDS[gradeOf(alert)]} alert`;
