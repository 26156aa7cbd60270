/** How a message goes by each channel, and what the other side's answer means. */
import { createHash } from 'node:crypto';
import type { Transporter } from 'nodemailer';
import { Webhook } from 'standardwebhooks';
import type { MessageBody, PushPayload, PushSubscription } from '#contract/messages.ts';
import type { MailSettings } from '../config.ts';
import { bodyOf, type Waiting } from '../db/messages.ts';
import type { Secrets } from '../secrets.ts';
import { deliveryBody, deliveryWords } from './deliveries.ts';
import { linkPath, type Links } from './links.ts';
import { NotAllowed, type Outgoing, type OutgoingAnswer } from './outgoing.ts';
import type { ReceiverSeal } from './seal.ts';
import { vapidKeys } from './vapid.ts';

const TTL_SECONDS = 30 * 60;
const TTL_PLANNED_SECONDS = 2 * 60 * 60;
/** Push services take 3,993 bytes of plain text; some fewer. */
export const PAYLOAD_BYTES = 3000;
/** Incidents that one tap on a notification is about, at most. */
const TAPPED_MOST = 10;
const SMTP_TIMEOUT_MS = 20_000;

export type Outcome =
  | { kind: 'sent'; status: number }
  /** Nothing will ever arrive there again. */
  | { kind: 'gone'; status: number | null; why: string }
  | { kind: 'refused'; status: number | null; why: string }
  /** `afterMs`: as the other side asks; null: as we see fit. */
  | { kind: 'later'; status: number | null; why: string; afterMs: number | null };

export interface ChannelParts {
  secrets: Secrets;
  seal: ReceiverSeal;
  links: Links;
  outgoing: Outgoing;
  /** For push services, that they can reach the operator. */
  contactEmail: string;
  /** Absent: no e-mail. */
  mail?: MailSettings | undefined;
  /** The origin that people open; links need it. */
  publicUrl?: string | undefined;
}

/** What a push says beside its message. */
export interface Counts {
  /** Messages of the person. */
  unseen: number;
  /** Certain criticals on the routes that they have not seen; null: there are no routes. */
  criticals: number | null;
}

export interface Channels {
  deliver(waiting: Waiting, counts: Counts, now: Date): Promise<Outcome>;
  close(): void;
}

export function channels(parts: ChannelParts): Channels {
  const { secrets, seal, links, outgoing, contactEmail, mail, publicUrl } = parts;
  const vapid = { subject: `mailto:${contactEmail}`, ...vapidKeys(secrets) };
  // This library and that of pushes take some 20 MB, and many servers never need them.
  let post: Transporter | undefined;
  const addressOf = (path: string) => (publicUrl ? `${publicUrl}${path}` : null);

  async function push({ message, receiver }: Waiting, target: string, counts: Counts): Promise<Outcome> {
    const body = bodyOf(message);
    const payload = payloadOf({ message, receiver }, body, counts);
    const { default: webPush } = await import('web-push');
    const { headers, body: sealed } = webPush.generateRequestDetails(
      JSON.parse(target) as PushSubscription,
      payload,
      {
        vapidDetails: vapid,
        TTL: body.kind === 'digest' ? TTL_PLANNED_SECONDS : TTL_SECONDS,
        urgency: body.severity === 'critical' && body.kind === 'alert' ? 'high' : 'normal',
        topic: topicOf(body.tag),
      },
    );
    const { endpoint } = JSON.parse(target) as PushSubscription;
    const answer = await outgoing.post(endpoint, { headers: textual(headers), body: sealed ?? '' });
    if (answer.status === 403)
      return { kind: 'gone', status: 403, why: 'The push service no longer takes our key' };
    return read(answer, 'The push service', { gone: [404, 410] });
  }

  async function email({ message, receiver }: Waiting, address: string): Promise<Outcome> {
    if (!mail) return { kind: 'refused', status: null, why: 'E-mail is not set up on this server.' };
    const body = bodyOf(message);
    const stop = addressOf(linkPath('unsubscribe', links.token('unsubscribe', receiver.id)))!; // mail needs it
    const page = addressOf(body.address)!;
    const ask = body.kind === 'notice' ? 'Confirm' : 'Open';
    try {
      post ??= (await import('nodemailer')).createTransport({
        url: mail.url,
        connectionTimeout: SMTP_TIMEOUT_MS,
        greetingTimeout: SMTP_TIMEOUT_MS,
        socketTimeout: SMTP_TIMEOUT_MS,
      });
      await post.sendMail({
        from: mail.from,
        to: address,
        subject: body.title,
        messageId: `<${message.id}@${new URL(stop).hostname}>`,
        text: `${body.title}\n${body.text}\n\n${ask}: ${page}\n\nEnd these messages: ${stop}\n`,
        html:
          `<p><b>${escaped(body.title)}</b></p><p>${escaped(body.text)}</p>` +
          `<p><a href="${escaped(page)}">${ask}</a></p><p><a href="${escaped(stop)}">End these messages</a></p>`,
        headers: {
          'List-Unsubscribe': `<${stop}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          'Auto-Submitted': 'auto-generated',
        },
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      return { kind: 'sent', status: 250 };
    } catch (error) {
      const { responseCode: status = null } = error as { responseCode?: number };
      const isFinal = status !== null && status >= 500;
      const why = status ? `The mail server answered ${status}` : 'The mail server could not be reached';
      return isFinal ? { kind: 'refused', status, why } : { kind: 'later', status, why, afterMs: null };
    }
  }

  async function hook(waiting: Waiting, url: string, now: Date): Promise<Outcome> {
    const { message } = waiting;
    const { kind } = waiting.receiver;
    const text = JSON.stringify(
      kind === 'slack'
        ? slackBody(shownOf(waiting))
        : kind === 'teams'
          ? teamsBody(shownOf(waiting))
          : standardBody(waiting),
    );
    const signatures = secretsOf(waiting, now).map((secret) =>
      new Webhook(secret).sign(message.id, now, text),
    );
    const answer = await outgoing.post(url, {
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Clearway',
        ...(signatures.length > 0 && {
          'webhook-id': message.id,
          'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
          'webhook-signature': signatures.join(' '),
        }),
      },
      body: text,
    });
    return read(answer, 'The address', { gone: [410] });
  }

  /** The new one first, then that before while both sign. */
  function secretsOf({ receiver, hook: more }: Waiting, now: Date): string[] {
    const isBoth = more?.old_secret_until != null && more.old_secret_until > now.toISOString();
    const row = { id: receiver.id, teamId: receiver.team_id };
    return [receiver.secret, isBoth ? more.old_secret : null].flatMap(
      (sealed) => (sealed && seal.open(sealed, row)) || [],
    );
  }

  function shownOf({ message, hook: more }: Waiting): Shown {
    if (more) return deliveryWords(deliveryBody(message));
    const { title, text, address } = bodyOf(message);
    return { title, text, page: addressOf(address) };
  }

  function standardBody({ message, hook: more }: Waiting): object {
    if (more) return deliveryBody(message);
    const { kind, title, text, severity, event_ids, address } = bodyOf(message);
    const page = addressOf(address);
    return {
      type: `clearway.${kind}`,
      timestamp: message.created_at,
      data: {
        id: message.id,
        title,
        text,
        severity,
        event_ids,
        watch_id: message.watch_id,
        ...(page && { url: page }),
      },
    };
  }

  return {
    async deliver(waiting, counts, now) {
      const { receiver } = waiting;
      if (receiver.state === 'off') return { kind: 'refused', status: null, why: 'This channel is off' };
      const target = seal.open(receiver.target, { id: receiver.id, teamId: receiver.team_id });
      if (target === null)
        return { kind: 'gone', status: null, why: 'Its address was sealed under another secret' };
      try {
        if (receiver.kind === 'push') return await push(waiting, target, counts);
        if (receiver.kind === 'email') return await email(waiting, target);
        return await hook(waiting, target, now);
      } catch (error) {
        if (error instanceof NotAllowed) return { kind: 'refused', status: null, why: error.message };
        return {
          kind: 'later',
          status: null,
          why: UNREACHED[receiver.kind] ?? 'It could not be reached',
          afterMs: null,
        };
      }
    },
    close: () => post?.close(),
  };
}

const UNREACHED: Readonly<Record<string, string>> = {
  push: 'The push service could not be reached',
  webhook: 'The address could not be reached',
  slack: 'The address could not be reached',
  teams: 'The address could not be reached',
};

function read(
  { status, retryAfterMs }: OutgoingAnswer,
  who: string,
  { gone }: { gone: readonly number[] },
): Outcome {
  const why = `${who} answered ${status}`;
  if (status >= 200 && status < 300) return { kind: 'sent', status };
  if (gone.includes(status)) return { kind: 'gone', status, why };
  if (status === 429 || status === 408 || status >= 500)
    return { kind: 'later', status, why, afterMs: retryAfterMs };
  return { kind: 'refused', status, why };
}

/** Two messages of one group: the push service keeps the newer alone. */
export const topicOf = (tag: string) => createHash('sha256').update(tag).digest('base64url').slice(0, 32);

function payloadOf(
  { message, receiver }: Pick<Waiting, 'message' | 'receiver'>,
  body: MessageBody,
  counts: Counts,
): string {
  const isHidden = receiver.hide_details === 1;
  const payload: PushPayload = {
    id: message.id,
    receiver: receiver.id,
    kind: body.kind,
    title: isHidden ? body.hidden : body.title,
    text: isHidden ? '' : body.text,
    tag: body.tag,
    renotify: body.is_news,
    silent: !body.is_news,
    valid_until: message.valid_until,
    address: body.address,
    event_id: body.event_ids[0] ?? null,
    severity: body.severity,
    // More than these are not acknowledged by one tap on a lock screen.
    event_ids: body.kind === 'alert' && body.event_ids.length <= TAPPED_MOST ? body.event_ids : [],
    ...counts,
  };
  const text = JSON.stringify(payload);
  // Titles and texts have 160 characters; only an id of a source could be this long.
  return Buffer.byteLength(text) <= PAYLOAD_BYTES
    ? text
    : JSON.stringify({ ...payload, event_id: null, event_ids: [] });
}

const textual = (headers: object): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

const escaped = (text: string) => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** Slack reads these three as its own marks. */
const slackText = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

interface Shown {
  title: string;
  text: string;
  page: string | null;
}

/** Slack reads marks in `text`, which is for notifications, and in `mrkdwn`; none in `plain_text`. */
const slackBody = ({ title, text, page }: Shown) => ({
  text: `${slackText(title)}\n${slackText(text)}${page ? `\n<${page}|Open in Clearway>` : ''}`,
  blocks: [
    { type: 'section', text: { type: 'plain_text', text: title, emoji: false } },
    ...(text ? [{ type: 'context', elements: [{ type: 'plain_text', text, emoji: false }] }] : []),
    ...(page ? [{ type: 'section', text: { type: 'mrkdwn', text: `<${page}|Open in Clearway>` } }] : []),
  ],
  unfurl_links: false,
});

/** An adaptive card. Its text blocks read Markdown, so marks of it are made harmless. */
const teamsBody = ({ title, text, page }: Shown) => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      contentUrl: null,
      content: {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.4',
        body: [
          { type: 'TextBlock', text: unmarked(title), weight: 'bolder', wrap: true },
          { type: 'TextBlock', text: unmarked(text), wrap: true },
        ],
        ...(page && { actions: [{ type: 'Action.OpenUrl', title: 'Open in Clearway', url: page }] }),
      },
    },
  ],
});

const unmarked = (text: string) => text.replace(/[\\`*_[\]<>#|~]/g, String.raw`\$&`);
