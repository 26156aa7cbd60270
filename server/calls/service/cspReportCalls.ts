/** /api/v1/csp-reports: scripts and files that a browser refused to run or load. They are counted by directive; the
 *  report itself is never stored or logged. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { CspReports } from '#contract/cspReports.ts';
import { networkOf } from '../../accounts/passwords/loginLimits.ts';
import { limitBy } from '../../http/limits/requestLimits.ts';
import { sums } from '../../log.ts';
import { Refused } from '../../refusals.ts';

const PER_ADDRESS = 60;
const BODY_LIMIT_BYTES = 16 * 1024;
const TYPES = ['application/csp-report', 'application/reports+json'];

/** Any other directive counts as "other": a stranger must not choose the words of the log. */
const DIRECTIVES = [
  'default-src',
  'script-src',
  'script-src-elem',
  'script-src-attr',
  'style-src',
  'style-src-elem',
  'style-src-attr',
  'img-src',
  'connect-src',
  'worker-src',
  'font-src',
  'manifest-src',
  'object-src',
  'base-uri',
  'frame-ancestors',
  'form-action',
  'require-trusted-types-for',
  'trusted-types',
];

export const cspReportCalls: FastifyPluginAsyncZod = async (app) => {
  const counted = sums(app.log, 'browsers reported violations of the security policy');
  app.addHook('onClose', async () => counted.flush());
  app.addContentTypeParser(TYPES, { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, JSON.parse(String(body)));
    } catch {
      done(new Refused(400, 'The body is not valid JSON.'));
    }
  });
  const limit = limitBy(PER_ADDRESS, ({ ip }) => `reports ${networkOf(ip)}`);

  app.post('/', {
    bodyLimit: BODY_LIMIT_BYTES,
    preParsing: async (request) => limit(request),
    who: 'anyone',
    meanings: { 204: 'Counted.' },
    refusals: { 429: 'Too many requests. Try again in 60 seconds.' },
    operationId: 'reportViolation',
    summary: 'Report a violation of the security policy',
    description: 'Browsers send these by themselves. Only how many there were of each kind is kept.',
    body: CspReports,
    handler: async ({ body }) => {
      for (const directive of directivesIn(body))
        counted.count(DIRECTIVES.includes(directive) ? directive : 'other');
    },
  });
};

function directivesIn(reports: CspReports): string[] {
  if (Array.isArray(reports)) {
    return reports
      .filter(({ type }) => type === 'csp-violation')
      .map(({ body }) => body?.effectiveDirective ?? '');
  }
  const { 'effective-directive': effective, 'violated-directive': violated } = reports['csp-report'];
  return [effective ?? violated?.split(' ', 1)[0] ?? ''];
}
