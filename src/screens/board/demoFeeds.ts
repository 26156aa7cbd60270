/** The samples of demo mode: invented incidents in real places, in the words of our sources. */
import type { Severity } from '#contract/incidents/severity.ts';
import { FEEDS } from '#contract/feeds/feeds.ts';
import type { Alert } from '../../api/alerts/disruptions.ts';
import type { Row } from '../../api/alerts/feeds.ts';
import samples from './demoFeeds.json' with { type: 'json' };

type Sample = [severity: Severity, minutesAgo: number, title: string, line: string];

interface SampleFeed {
  summary: string;
  summarised: number;
  alerts: Sample[];
  /** Planned works that have not begun: title, line, and hours until they begin. */
  planned?: [title: string, line: string, inHours: number][];
}

const SAMPLES = samples as unknown as Readonly<Record<string, SampleFeed>>;

/** Five feeds as of `now`, in the form in which the server sends them, and without sources. */
export function demoFeeds(now: Date): Row[] {
  const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString();

  return FEEDS.flatMap(({ slug, title, category, description }) => {
    const sample = SAMPLES[slug];
    if (!sample) return [];

    const active = sample.alerts.map(([severity, minutes, alertTitle, line], index): Alert => ({
      event_id: `demo:${slug}-${index}`,
      source: 'demo',
      severity,
      event_type: 'demo.sample',
      title: alertTitle,
      summary_line: line,
      collected_at: now.toISOString(),
      updated_at: ago(minutes),
      start_time: ago(minutes),
      metadata: { phase: 'active' },
    }));
    const planned = (sample.planned ?? []).map(([alertTitle, line, hours], index): Alert => ({
      event_id: `demo:${slug}-planned-${index}`,
      source: 'demo',
      severity: 'low',
      event_type: 'demo.sample',
      title: alertTitle,
      summary_line: line,
      collected_at: now.toISOString(),
      updated_at: ago(600),
      start_time: ago(-60 * hours),
      metadata: { phase: 'planned' },
    }));

    return {
      feed: {
        slug,
        title,
        category,
        description,
        alert_count: active.length,
        last_updated: ago(2),
        sources: undefined,
      },
      summary: {
        text: sample.summary,
        model: 'Demo sample',
        generated_at: ago(sample.summarised),
        event_count: active.length,
        tokens_completion: 0,
        stale: false,
      },
      events: [...active, ...planned],
    };
  });
}
