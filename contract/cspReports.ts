/** Reports of browsers on the security policy: the old form (`report-uri`) and the new one (Reporting API). */
import { z } from 'zod/mini';

export const CSP_REPORTS_PATH = '/api/v1/csp-reports';

const Directive = z.catch(z.optional(z.string().check(z.maxLength(500))), undefined);

const OldReport = z.object({
  'csp-report': z.object({ 'effective-directive': Directive, 'violated-directive': Directive }),
});
const NewReport = z.object({
  type: z.string().check(z.maxLength(100)),
  body: z.catch(z.optional(z.object({ effectiveDirective: Directive })), undefined),
});

export const CspReports = z.union([OldReport, z.array(NewReport).check(z.maxLength(100))]);
export type CspReports = z.infer<typeof CspReports>;
