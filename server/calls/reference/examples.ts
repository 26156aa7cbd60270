/** Examples of the reference, by the operation's id. All belong to one story, and name the incidents, sources and
 *  events of a fresh replay, so that a call in the reference really answers. Secrets are shortened, so that nobody
 *  takes them for real ones. */
import type { z } from 'zod';
import type { User } from '#contract/accounts/auth.ts';
import type { NewApiKey } from '#contract/accounts/keys.ts';
import type { AskingDisplay, Display, Heartbeat } from '#contract/displays/displays.ts';
import type { DisplayMessageRequest, Layout } from '#contract/displays/layouts.ts';
import type { Disruption } from '#contract/incidents/disruptions.ts';
import type { NewBrief } from '#contract/messages/briefs.ts';
import type { Channel, NewChannel } from '#contract/messages/channels.ts';
import type { Message } from '#contract/messages/messages.ts';
import type { LoggedAction, OwnReport, ReportRequest } from '#contract/shift/responses.ts';
import type { ImportRequest, Job, NewJob } from '#contract/watches/jobs.ts';
import type { Watch, WatchRequest } from '#contract/watches/watches.ts';
import examples from './examples.json' with { type: 'json' };

interface Example {
  /** A body. */
  sent?: unknown;
  /** Absent if the answer is empty or is not JSON. */
  answer?: unknown;
}

const shared: Readonly<Record<string, unknown>> = examples.shared;
const calls: Readonly<Record<string, unknown>> = examples.calls;

/** The object with its examples filled in: `$` names the shared example, or several, with whose fields it begins. */
function filled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(filled);
  if (typeof value !== 'object' || value === null) return value;
  const { $: names = [], ...own } = value as { $?: string | string[] };
  const bases = [names].flat().map((name) => filled(shared[name]));
  const rest = Object.entries(own).map(([key, one]) => [key, filled(one)] as const);
  return Object.assign({}, ...bases, Object.fromEntries(rest));
}

export const exampleOf = (operationId: string): Example => filled(calls[operationId] ?? {}) as Example;

/** Examples that calls and tests show themselves; a test compares them with the schemas of those calls. */
export const example = filled(shared) as {
  SESSION_ID: string;
  apiKey: NewApiKey;
  askingDisplay: AskingDisplay;
  brief: { id: string };
  briefPage: { at: string };
  briefRequest: z.infer<typeof NewBrief>;
  channel: Channel;
  display: Display;
  disruption: Disruption;
  explanation: { subject_id: string };
  heartbeat: Heartbeat;
  importRequest: z.infer<typeof ImportRequest>;
  job: Job;
  jobRequest: z.infer<typeof NewJob>;
  layout: Layout;
  message: Message;
  messageRequest: z.input<typeof DisplayMessageRequest>;
  newChannel: z.input<typeof NewChannel>;
  nextShiftNote: { id: string };
  note: LoggedAction;
  ownReport: OwnReport;
  reportRequest: z.input<typeof ReportRequest>;
  response: { event_id: string };
  sentMessage: { id: string };
  sharedAddress: { id: string };
  team: { id: string };
  user: User;
  watch: Watch;
  watchRequest: WatchRequest;
};
