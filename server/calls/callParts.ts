/** The parts of the service from which calls are made. Each file of calls takes those that it uses. */
import type { FastifyBaseLogger } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { NearbyStation } from '#contract/places/events.ts';
import type { KeySeal } from '../accounts/keys/apiKeys.ts';
import type { Passwords } from '../accounts/passwords/passwords.ts';
import type { SecondFactors } from '../accounts/passwords/secondFactor.ts';
import type { Secrets } from '../accounts/secrets.ts';
import type { Tokens } from '../accounts/tokens.ts';
import type { Config } from '../config.ts';
import type { Db } from '../db/open.ts';
import type { FormatAnswers } from '../delivery/formats/formatAnswers.ts';
import type { Streams } from '../delivery/formats/streams.ts';
import type { FeedAnswers } from '../feeds/feedAnswers.ts';
import type { Geocoder } from '../geography/names/geocoder.ts';
import type { Router } from '../geography/roads/routingServer.ts';
import type { UsageLog } from '../http/usage/usageLog.ts';
import type { Collector } from '../incidents/collector.ts';
import type { ResponseAnswers } from '../shift/responseAnswers.ts';
import type { WatchAnswers } from '../watches/watchAnswers.ts';

/** The parts that exist before the HTTP service. */
export interface GivenParts {
  config: Config;
  db: Db;
  secrets: Secrets;
  now: () => Date;
  log: FastifyBaseLogger;
  feedAnswers: FeedAnswers;
  collectors: readonly Collector[];
  /** The stations near a place (WGS84 degrees), nearest first. */
  nearbyStations?: (latitude: number, longitude: number) => NearbyStation[];
  /** Wakes the matcher after a route or an area was made, edited or deleted. */
  onWatchesChanged?: () => void;
  /** Wakes the schedule after somebody asked for a poll out of turn. */
  onSourceAsked?: () => void;
  /** Wakes the sender after a call has put a message into the outbox. */
  onMessage?: () => void;
}

export interface CallParts extends GivenParts {
  passwords: Passwords;
  tokens: Tokens;
  factors: SecondFactors;
  seal: KeySeal;
  usageLog: UsageLog;
  geocoder: Geocoder;
  /** Null: the operator has no router. */
  router: Router | null;
  formatAnswers: FormatAnswers;
  streams: Streams;
  watchAnswers: WatchAnswers;
  responseAnswers: ResponseAnswers;
}

/** The calls of one file. */
export type Calls = (parts: CallParts) => FastifyPluginAsyncZod;
