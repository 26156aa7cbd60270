/** How a message is sent by each channel, and the meaning of the other side's answer. */
import { createHash } from 'node:crypto';
import type { Transporter } from 'nodemailer';
import { Webhook } from 'standardwebhooks';
import type { DeliveryBody } from '#contract/messages/channels.ts';
import type { MessageBody, PushPayload, PushSubscription } from '#contract/messages/messages.ts';
import { html } from '../../http/documents/plainText.ts';
import type { MailSettings } from '../../config.ts';
import { bodyOf, type LetterLine, type StoredBody, type Waiting } from './outboxStore.ts';
import type { Secrets } from '../../accounts/secrets.ts';
import { linkPath, type Links } from './notices.ts';
import { NotAllowed, type Outgoing, type OutgoingAnswer } from './publicAddresses.ts';
import { type ChannelSeal, vapidKeys } from './channelSeal.ts';
import { GONE } from './channelState.ts';

const TTL_SECONDS = 30 * 60;
const TTL_PLANNED_SECONDS = 2 * 60 * 60;
/** Push services take 3,993 bytes of plain text; some take fewer. */
const PAYLOAD_BYTES = 3000;
/** The most incidents that one tap on a notification can acknowledge. */
const TAPPED_MOST = 10;
const SMTP_TIMEOUT_MS = 20_000;

export type Outcome =
  | { kind: 'sent'; status: number }
  /** No message will ever arrive at this address again. */
  | { kind: 'gone'; status: number | null; why: string }
  | { kind: 'refused'; status: number | null; why: string }
  /** `afterMs`: the wait for which the other side asks; null: we choose it. */
  | { kind: 'later'; status: number | null; why: string; afterMs: number | null };

interface ChannelParts {
  secrets: Secrets;
  seal: ChannelSeal;
  links: Links;
  outgoing: Outgoing;
  /** With this address push services can reach the operator. */
  contactEmail: string;
  /** Absent: no e-mail. */
  mail?: MailSettings | undefined;
  /** The origin that people open; links need it. */
  publicUrl?: string | undefined;
}

/** Figures that a push carries beside its message. */
export interface Counts {
  /** The number of messages that the person has not seen. */
  unseen: number;
  /** The number of certain critical incidents on the person's routes that the person has not seen; null: there are
   *  no routes. */
  criticals: number | null;
}

export interface Channels {
  deliver(waiting: Waiting, counts: Counts, now: Date): Promise<Outcome>;
  close(): void;
}

export function channels(parts: ChannelParts): Channels {
  const { secrets, seal, links, outgoing, contactEmail, mail, publicUrl } = parts;
  const vapid = { subject: `mailto:${contactEmail}`, ...vapidKeys(secrets) };
  // Loaded when first needed: this library and that of pushes take some 20 MB, and many servers never send either.
  let mailer: Transporter | undefined;
  const addressOf = (path: string) => (publicUrl ? `${publicUrl}${path}` : null);

  async function push({ message, channel }: Waiting, target: string, counts: Counts): Promise<Outcome> {
    const body = bodyOf(message);
    const payload = payloadOf({ message, channel }, body, counts);
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
    return read(answer, 'The push service', GONE.device);
  }

  async function email({ message, channel }: Waiting, address: string): Promise<Outcome> {
    if (!mail) return { kind: 'refused', status: null, why: 'E-mail is not set up on this server.' };
    const body = bodyOf(message);
    const stop = addressOf(linkPath('unsubscribe', links.token('unsubscribe', channel.id)))!; // mail needs it
    const page = addressOf(body.address)!;
    const ask = body.kind === 'notice' ? 'Confirm' : openWords(message, 'Open');
    try {
      mailer ??= (await import('nodemailer')).createTransport({
        url: mail.url,
        connectionTimeout: SMTP_TIMEOUT_MS,
        greetingTimeout: SMTP_TIMEOUT_MS,
        socketTimeout: SMTP_TIMEOUT_MS,
      });
      await mailer.sendMail({
        from: mail.from,
        to: address,
        subject: body.title,
        messageId: `<${message.id}@${new URL(stop).hostname}>`,
        text: `${body.title}\n${body.text}\n${letterText(body)}\n${ask}: ${page}\n\nEnd these messages: ${stop}\n`,
        html:
          `<p><b>${html(body.title)}</b></p><p>${html(body.text)}</p>${letterHtml(body, addressOf)}` +
          `<p><a href="${html(page)}">${ask}</a></p><p><a href="${html(stop)}">End these messages</a></p>`,
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

  async function post(waiting: Waiting, url: string, now: Date): Promise<Outcome> {
    const { message } = waiting;
    const { kind } = waiting.channel;
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
    return read(answer, 'The address', GONE.posted);
  }

  /** The new secret first, then the former one while both sign. */
  function secretsOf({ channel }: Waiting, now: Date): string[] {
    const { id, team_id: teamId, secret, old_secret, old_secret_until } = channel;
    const isBoth = old_secret_until !== null && old_secret_until > now.toISOString();
    return [secret, isBoth ? old_secret : null].flatMap(
      (sealed) => (sealed && seal.open(sealed, { id, teamId })) || [],
    );
  }

  function shownOf({ message }: Waiting): Shown {
    const { title, text, address } = bodyOf(message);
    return { title, text, page: addressOf(address), open: openWords(message, 'Open in Clearway') };
  }

  function standardBody({ message }: Waiting): DeliveryBody {
    const { kind, title, text, severity, event_ids, address, delivery } = bodyOf(message);
    if (delivery) return delivery;
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
      const { id, team_id: teamId, kind, address } = waiting.channel;
      const target = seal.open(address, { id, teamId });
      if (target === null)
        return { kind: 'gone', status: null, why: 'Its address was sealed under another secret' };
      try {
        if (kind === 'device') return await push(waiting, target, counts);
        if (kind === 'email') return await email(waiting, target);
        return await post(waiting, target, now);
      } catch (error) {
        if (error instanceof NotAllowed) return { kind: 'refused', status: null, why: error.message };
        return {
          kind: 'later',
          status: null,
          why: UNREACHED[kind] ?? 'It could not be reached',
          afterMs: null,
        };
      }
    },
    close: () => mailer?.close(),
  };
}

const UNREACHED: Readonly<Record<string, string>> = {
  device: 'The push service could not be reached',
  webhook: 'The address could not be reached',
  slack: 'The address could not be reached',
  teams: 'The address could not be reached',
};

function read({ status, retryAfterMs }: OutgoingAnswer, who: string, gone: readonly number[]): Outcome {
  const why = `${who} answered ${status}`;
  if (status >= 200 && status < 300) return { kind: 'sent', status };
  if (gone.includes(status)) return { kind: 'gone', status, why };
  if (status === 429 || status === 408 || status >= 500)
    return { kind: 'later', status, why, afterMs: retryAfterMs };
  return { kind: 'refused', status, why };
}

/** The topic of two messages of one group is the same: the push service keeps only the newer message. */
export const topicOf = (tag: string) => createHash('sha256').update(tag).digest('base64url').slice(0, 32);

function payloadOf({ message, channel }: Waiting, body: MessageBody, counts: Counts): string {
  const isHidden = channel.hide_details === 1;
  const payload: PushPayload = {
    id: message.id,
    receiver: channel.id,
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
    // With more incidents than this a message cannot be acknowledged by one tap on a lock screen.
    event_ids: body.kind === 'alert' && body.event_ids.length <= TAPPED_MOST ? body.event_ids : [],
    ...counts,
  };
  const text = JSON.stringify(payload);
  // Titles and texts have at most 160 characters: only a source's id could make a push too long.
  return Buffer.byteLength(text) <= PAYLOAD_BYTES
    ? text
    : JSON.stringify({ ...payload, event_id: null, event_ids: [] });
}

/** The link of an alert about a route leads to its place on that route, with "Not on our route" beside it. */
function openWords(message: Waiting['message'], otherwise: string): string {
  const isOnRoute = bodyOf(message).kind === 'alert' && message.watch_id !== null;
  return isOnRoute ? 'Open, or say that it is not ours' : otherwise;
}

const textual = (headers: object): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

const wordsOf = (line: LetterLine) => (typeof line === 'string' ? line : line.text);

/** A link with the colour of the text around it, because it is part of a sentence. */
function lineHtml(line: LetterLine, addressOf: (path: string) => string | null): string {
  const page = typeof line === 'string' ? null : addressOf(line.address);
  const words = html(wordsOf(line));
  return page ? `<a href="${html(page)}" style="color:#000">${words}</a>` : words;
}

/** '' for everything but a brief. */
const letterText = ({ letter = [] }: StoredBody): string =>
  letter
    .map(({ heading, lines }) => `\n${heading}\n${lines.map((line) => `- ${wordsOf(line)}\n`).join('')}`)
    .join('');

/** One column, 640 wide, in the reader's own fonts; without pictures or anything that reports who has read it. */
const letterHtml = ({ letter = [] }: StoredBody, addressOf: (path: string) => string | null): string =>
  letter.length === 0
    ? ''
    : `<table role="presentation" width="640" style="max-width:100%">${letter
        .map(
          ({ heading, lines }) =>
            `<tr><td style="padding:12px 0 2px;border-bottom:2px solid #000"><b>${html(heading)}</b></td></tr>` +
            lines
              .map((line) => `<tr><td style="padding:4px 0">${lineHtml(line, addressOf)}</td></tr>`)
              .join(''),
        )
        .join('')}</table>`;

/**
 * Text for Slack and Teams. A publisher's text is hostile in both: every character with a special meaning is escaped.
 */

interface Shown {
  title: string;
  text: string;
  page: string | null;
  /** The words of the link to the page. */
  open: string;
}

/** Slack gives these three characters a special meaning. */
const slackText = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Slack interprets marks in `text`, which is for notifications, and in `mrkdwn`, but not in `plain_text`. */
const slackBody = ({ title, text, page, open }: Shown) => ({
  text: `${slackText(title)}\n${slackText(text)}${page ? `\n<${page}|${open}>` : ''}`,
  blocks: [
    { type: 'section', text: { type: 'plain_text', text: title, emoji: false } },
    ...(text ? [{ type: 'context', elements: [{ type: 'plain_text', text, emoji: false }] }] : []),
    ...(page ? [{ type: 'section', text: { type: 'mrkdwn', text: `<${page}|${open}>` } }] : []),
  ],
  unfurl_links: false,
});

/** An adaptive card. Its text blocks are Markdown, so Markdown's characters are escaped. */
const teamsBody = ({ title, text, page, open }: Shown) => ({
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
        ...(page && { actions: [{ type: 'Action.OpenUrl', title: open, url: page }] }),
      },
    },
  ],
});

const unmarked = (text: string) => text.replace(/[\\`*_[\]<>#|~]/g, String.raw`\$&`);
