/** The samples that demo mode shows: invented incidents in real places, worded as our sources word theirs. */
import type { Severity } from '#contract/incidents/disruptions.ts';
import { FEEDS } from '#contract/feeds/feeds.ts';
import type { Alert } from '../../api/alerts/disruptions.ts';
import type { Row } from '../../api/alerts/feeds.ts';

type Sample = [severity: Severity, minutesAgo: number, title: string, line: string];

interface SampleFeed {
  summary: string;
  summarised: number;
  alerts: Sample[];
  /** Planned works that have not begun: title, line, hours until they begin. */
  planned?: [title: string, line: string, inHours: number][];
}

const SAMPLES: Record<string, SampleFeed> = {
  'rail-network': {
    summary:
      'Paddington has no long-distance trains after overhead line damage at Hayes. Expect crowds at Waterloo and Marylebone, and coaches to Reading that fill early. The North runs near normal.',
    summarised: 2,
    alerts: [
      [
        'critical',
        3,
        'Paddington: no trains to or from Reading after overhead line damage',
        'GWR and Elizabeth line suspended until 15:00',
      ],
      [
        'high',
        6,
        'Southeastern: Greenwich line 40 min late',
        'Signal fault at Deptford; tickets accepted on DLR',
      ],
      ['high', 14, 'Piccadilly line: severe delays', 'Train removed at Acton Town, whole line affected'],
      ['high', 18, 'CrossCountry: Birmingham to Derby revised', 'Every second train cancelled until 14:00'],
      ['medium', 22, 'Northern: Leeds to Skipton 20 min late', 'Trespassers near Shipley, now clear'],
      ['medium', 27, 'ScotRail: Fife Circle starts late', 'Delays of 15 minutes, easing'],
      ['medium', 35, 'District line: minor delays eastbound', 'Earlier signal failure at Earl’s Court'],
      [
        'low',
        41,
        'Bristol Temple Meads: lift to platforms 9 and 10 out of use',
        'Ask staff for the subway route',
      ],
      [
        'low',
        58,
        'Transport for Wales: two coaches instead of four, Cardiff to Holyhead',
        'Busy trains expected',
      ],
    ],
    planned: [
      [
        'Huddersfield to Stalybridge: buses replace trains',
        'Engineering works on the TransPennine route',
        34,
      ],
    ],
  },
  'roads-uk': {
    summary:
      'The M6 southbound is shut in Cheshire. Use the M56 and A556 for Manchester Airport. The A9 is slow both ways at Drumochter, and the Prince of Wales Bridge has two lanes closed.',
    summarised: 4,
    alerts: [
      [
        'critical',
        4,
        'M6 southbound closed, J20 to J19: overturned lorry',
        'Follow the solid triangle via A50; queues of 8 miles',
      ],
      ['high', 9, 'A9 Drumochter: one lane, queues of 30 min', 'Convoy working after a landslip'],
      [
        'high',
        12,
        'M4 Prince of Wales Bridge: two lanes closed westbound',
        'High winds; high-sided vehicles use the M48',
      ],
      ['medium', 26, 'A14 eastbound, Fen Ditton: lane closed', 'Broken-down vehicle, recovery on scene'],
      ['medium', 31, 'M25 clockwise, J10: slow for 3 miles', 'Long-term works at Wisley'],
      ['low', 44, 'A303 Stonehenge: slow westbound', 'Usual weight of traffic'],
    ],
  },
  aviation: {
    summary:
      'Low cloud has cut Heathrow arrivals to 36 an hour; allow 45 minutes extra for meet-and-greet at Terminals 3 and 5. Gatwick, Manchester and Edinburgh are on time.',
    summarised: 1,
    alerts: [
      [
        'high',
        8,
        'Heathrow: arrivals cut to 36 an hour in low cloud',
        'Average delay 45 minutes, easing after 14:00',
      ],
      ['medium', 22, 'Leeds Bradford: de-icing delays of 20 minutes', 'First wave of departures affected'],
      ['medium', 31, 'Gatwick: shuttle every 12 minutes', 'One train in service between the terminals'],
    ],
  },
  'weather-flood': {
    summary:
      'The Severn peaks at Bewdley this evening; barriers are up at Severnside North. Strong wind in west Wales until 21:00: high-sided coaches should avoid the A487.',
    summarised: 6,
    alerts: [
      [
        'high',
        16,
        'Flood warning: River Severn at Bewdley, Severnside North',
        'Peak of 4.9 m at 19:00. Quay car parks closed',
      ],
      ['high', 24, 'Flood warning: River Wye at Hereford', 'Levels rising; Greyfriars underpass closed'],
      [
        'medium',
        41,
        'Yellow wind warning: Pembrokeshire and Ceredigion',
        'Gusts of 60 mph on exposed coasts until 21:00',
      ],
      ['medium', 63, 'Flood alert: River Ouse at York', 'Riverside paths under water'],
      ['low', 95, 'Flood alert: Upper Tay', 'Low-lying fields; no roads affected'],
    ],
  },
  'public-safety': {
    summary: 'Nothing reported that affects routes. A planned march in Whitehall ends at 13:00.',
    summarised: 2,
    alerts: [],
  },
};

/** Five feeds as of `now`, shaped as the server sends them, and without sources. */
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
