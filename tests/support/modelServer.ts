/** A stand-in for the hosted model: OpenAI's chat completions on loopback, with answers that a test sets. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface AskedOfModel {
  path: string;
  authorization: string | undefined;
  body: {
    model: string;
    messages: { role: string; content: string }[];
    response_format: { type: string };
    max_tokens?: number;
    max_completion_tokens?: number;
  };
  /** The alerts in the prompt. */
  alerts: { id: string; title: string; [fact: string]: string }[];
}

/** Sentences with the ids that they cite, or anything else that a provider can send. */
export type ModelAnswer =
  | {
      sentences: [text: string, ...ids: string[]][];
      usage?: { prompt_tokens: number; completion_tokens: number };
    }
  | { content: string; finish_reason?: string; refusal?: string }
  | { status: number; headers?: Record<string, string>; body?: string }
  | 'hangs';

export interface ModelServer {
  url: string;
  /** Requests in order. */
  asked: AskedOfModel[];
  /** Called for each request. The default answer repeats the title of the first alert. */
  answer: (asked: AskedOfModel) => ModelAnswer | Promise<ModelAnswer>;
  close(): Promise<void>;
}

export async function startModelServer(): Promise<ModelServer> {
  const server = createServer((request, response) => void serve(request, response));
  const standIn: ModelServer = {
    url: '',
    asked: [],
    answer: ({ alerts: [first] }) => ({ sentences: first ? [[first.title, first.id]] : [] }),
    async close() {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as AskedOfModel['body'];
    const [, data = '{}'] = /<alerts>\n([\s\S]*)\n<\/alerts>$/.exec(body.messages.at(-1)!.content) ?? [];
    const asked: AskedOfModel = {
      path: request.url ?? '',
      authorization: request.headers.authorization,
      body,
      alerts: JSON.parse(data).alerts,
    };
    standIn.asked.push(asked);
    send(await standIn.answer(asked), response);
  }

  function send(answer: ModelAnswer, response: ServerResponse): void {
    if (answer === 'hangs') return;
    if ('status' in answer) {
      response
        .writeHead(answer.status, answer.headers)
        .end(answer.body ?? '{"error":{"message":"sk-secret"}}');
      return;
    }
    const isMade = 'sentences' in answer;
    const content = isMade
      ? JSON.stringify({ sentences: answer.sentences.map(([text, ...event_ids]) => ({ text, event_ids })) })
      : answer.content;
    const message = { role: 'assistant', content, refusal: isMade ? null : (answer.refusal ?? null) };
    const finish_reason = isMade ? 'stop' : (answer.finish_reason ?? 'stop');
    const usage = (isMade && answer.usage) || { prompt_tokens: 900, completion_tokens: 60 };
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        id: 'chatcmpl-1',
        object: 'chat.completion',
        created: 0,
        model: 'stand-in-2026',
        choices: [{ index: 0, message, finish_reason }],
        usage,
      }),
    );
  }

  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  standIn.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return standIn;
}
