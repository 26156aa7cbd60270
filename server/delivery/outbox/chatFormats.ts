/** What Slack and Teams read. A publisher's text is hostile in both: none of its marks counts. */

export interface Shown {
  title: string;
  text: string;
  page: string | null;
  /** The words of the link to it. */
  open: string;
}

/** Slack reads these three as its own marks. */
const slackText = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Slack reads marks in `text`, which is for notifications, and in `mrkdwn`; none in `plain_text`. */
export const slackBody = ({ title, text, page, open }: Shown) => ({
  text: `${slackText(title)}\n${slackText(text)}${page ? `\n<${page}|${open}>` : ''}`,
  blocks: [
    { type: 'section', text: { type: 'plain_text', text: title, emoji: false } },
    ...(text ? [{ type: 'context', elements: [{ type: 'plain_text', text, emoji: false }] }] : []),
    ...(page ? [{ type: 'section', text: { type: 'mrkdwn', text: `<${page}|${open}>` } }] : []),
  ],
  unfurl_links: false,
});

/** An adaptive card. Its text blocks read Markdown, so marks of it are made harmless. */
export const teamsBody = ({ title, text, page, open }: Shown) => ({
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
