/**
 * A public page: one file of its own, without the app, for people who have no account. Feed text is hostile: everything
 * passes `html`. Styles and script are the same on each page, so that the policy can name them by their hashes.
 */
import { createHash } from 'node:crypto';
import type { Severity } from '#contract/incidents/severity.ts';
import { LONDON_CLOCK, london } from '#contract/london.ts';
import { html } from '../../http/documents/plainText.ts';

export interface PageItem {
  severity: Severity;
  isUnrated: boolean;
  /** Possible incidents are hatched; planned ones, and ones that are no longer known, are hollow. */
  look: 'certain' | 'possible' | 'hollow';
  /** "Critical: M62 eastbound closed, J26 to J27" */
  title: string;
  /** "05:31 to about 18:32. National Highways, 05:58." */
  words: string;
}

export interface PublicPage {
  /** "Within 30 km of Leeds"; for an alert its title. */
  title: string;
  /** "Travel disruption, high and worse" */
  subject: string;
  at: Date;
  /** "4 now", "Mon to Fri 06:00–20:00", "Not watching now" */
  counted: readonly string[];
  items: readonly PageItem[];
  /** The facts of one alert; `over`: since when it is over, and who says so. */
  alert?: {
    grade: string;
    isCritical: boolean;
    facts: readonly (readonly [name: string, value: string])[];
    words: string;
    over: { since: string; words: string } | null;
  };
  /** The blind spots of the page. `isFirst`: an incident could be hidden there, and so they come before everything
   *  else. */
  blind: { title: string; words: string; isFirst: boolean };
  /** The time at which the page ends by itself. */
  ends: Date;
}

const SHAPES: Readonly<Record<Severity, string>> = {
  critical: 'M2 2h20v20H2z',
  high: 'M12 1.6 23.4 21.8H.6z',
  medium: 'M12 .6 23.4 12 12 23.4.6 12z',
  low: 'M12 2.4a9.6 9.6 0 1 1 0 19.2 9.6 9.6 0 0 1 0-19.2z',
};
const CUT = 'M10.3 5.2h3.4l-.6 8.6h-2.2zM10.4 15.6h3.2v3.2h-3.2z';

const STYLES = `*{box-sizing:border-box}:root{color-scheme:light dark;--g:#f4f2ec;--s:#fff;--t:#111314;--t2:#3d4245;--l:#7c8083;--e:#111314;--cr:#b5121b;--hi:#d45500;--me:#f2b900;--lo:#1a5fae;--ok:#0a6b3c;--y:#ffd400}@media(prefers-color-scheme:dark){:root{--g:#121415;--s:#1a1d1f;--t:#f1efe9;--t2:#c6c9c8;--l:#6f7578;--e:#121415;--cr:#c4121d;--hi:#ff9a3a;--me:#ffd75e;--lo:#86bfff;--ok:#5fd39b}.critical .y{stroke:#fff}}
body{margin:0;background:var(--g);color:var(--t);font:17px/1.42 -apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"Liberation Sans",sans-serif;-webkit-text-size-adjust:100%;overflow-wrap:anywhere}main{max-width:46rem;margin:0 auto;padding:20px 16px 32px}h1{font-size:clamp(26px,4.6vw,36px);line-height:1.1;margin:0;letter-spacing:-.015em}p,ol,dl,dd{margin:0;padding:0}ol{list-style:none}.k{font-weight:600;color:var(--t2);margin-bottom:10px;display:flex;gap:10px;align-items:center}.k svg{width:26px;height:26px;border-radius:4px;flex:none}
.age{display:flex;flex-wrap:wrap;gap:2px 14px;align-items:baseline;border-top:3px solid var(--t);border-bottom:1px solid var(--l);margin-top:14px;padding:9px 0 10px}.age b{font-size:20px;line-height:1.2}.age span{color:var(--t2)}.age svg{width:15px;height:15px;fill:var(--ok);margin-right:7px;vertical-align:-1px}
.i{display:grid;grid-template-columns:28px minmax(0,1fr);gap:0 12px;padding:13px 0 14px;border-bottom:1px solid var(--l)}.y{width:26px;height:26px;margin-top:1px;stroke:var(--e);stroke-width:1.5;overflow:visible}.critical .y{fill:var(--cr)}.high .y{fill:var(--hi)}.medium .y{fill:var(--me)}.low .y{fill:var(--lo)}.possible .y{stroke:var(--t)}.critical.possible .y{fill:url(#critical)}.high.possible .y{fill:url(#high)}.medium.possible .y{fill:url(#medium)}.low.possible .y{fill:url(#low)}.hollow .y,.old .i .y{fill:none;stroke:var(--t2);stroke-width:3}.y .q{fill:#fff;stroke:none}.possible .q,.hollow .q,.old .q{fill:var(--t)!important}.i h2{font-size:19px;line-height:1.25;margin:0}.i p{color:var(--t2)}.h{position:absolute;width:0;height:0}
.see,.sign{display:grid;grid-template-columns:28px minmax(0,1fr);gap:0 12px;padding:12px 16px 13px;margin:14px -16px 4px;background:var(--s)}.sign{background:var(--y);color:#111314;display:none;font-weight:700}.old .sign{display:block}.see svg{width:22px;height:22px;fill:var(--t2);margin-top:2px}.see b{display:block}.foot{margin-top:16px;color:var(--t2);font-size:15px}.foot p+p{margin-top:6px}
.pl{background:var(--s);border:3px solid var(--t);padding:14px 16px 16px;border-radius:3px;margin-top:12px}.pl.critical{background:#a80f18;border-color:#a80f18;color:#fff}.pl p{font-size:19px;line-height:1.25;margin-top:4px}dl{display:grid;grid-template-columns:1fr 1fr;gap:12px 24px;padding:14px 0;border-bottom:1px solid var(--l)}dt{color:var(--t2)}dd{font-size:22px;font-weight:700;line-height:1.2}.say{padding:14px 0;font-size:19px;border-bottom:1px solid var(--l)}
.end{border:3px solid var(--t);padding:13px 16px 15px;margin-top:12px;display:grid;grid-template-columns:auto minmax(0,1fr);gap:0 16px;align-items:center}.end svg{width:48px;height:48px;fill:var(--ok)}.end b{font-size:clamp(26px,4.6vw,36px);line-height:1.1;display:block}.end span{font-size:19px}.was{margin-top:14px;padding-top:12px;border-top:1px solid var(--l)}.was h1{font-size:22px;font-weight:600;color:var(--t2)}
@media(min-width:48rem){main{padding-top:36px}dl{grid-template-columns:repeat(3,1fr)}}`;

/** Renews the page each minute and counts its age. After three minutes without an answer the page says so in large
 *  letters; if the address has ended, the page about this is shown. */
const SCRIPT = `(()=>{let at=Date.now();const words=m=>m<1?'less than a minute old':m+(m===1?' minute old':' minutes old');
const say=()=>{const m=Math.floor(Math.abs(Date.now()-at)/6e4);const age=document.getElementById('age');if(age)age.textContent=words(m);
const old=m>=3;document.body.classList.toggle('old',old);const sign=document.getElementById('sign');if(sign)sign.textContent=old?m+' minutes old. Check before you travel.':''};
const renew=async()=>{try{const r=await fetch(location.href,{cache:'no-store',redirect:'error'});if(r.status!==200&&r.status!==404)return;
const page=new DOMParser().parseFromString(await r.text(),'text/html');const main=page.querySelector('main');if(!main)return;
document.title=page.title;document.querySelector('main').replaceWith(main);at=Date.now();if(r.status===404)clearInterval(timer)}catch{}finally{say()}};
const timer=setInterval(renew,6e4);setInterval(say,1e4);addEventListener('online',renew);document.addEventListener('visibilitychange',()=>{if(!document.hidden)renew()})})()`;

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The page loads nothing, and calls only its own address. `hosts`: the hosts whose pages may frame it. */
export const pagePolicy = (hosts: readonly string[]): string =>
  [
    "default-src 'none'",
    `style-src ${hashOf(STYLES)}`,
    `script-src ${hashOf(SCRIPT)}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${hosts.length > 0 ? hosts.map((host) => `https://${host}`).join(' ') : "'none'"}`,
  ].join('; ');

const MARK =
  '<svg viewBox="40 40 432 432" aria-hidden="true"><path fill="#ffd400" d="M40 40h432v432H40z"/><path d="M298 472v-80L186 280v-48l112-112V40" fill="none" stroke="#101214" stroke-width="60"/><path d="m308 184 72 72-72 72-72-72z" fill="#101214"/></svg>';
const TICK =
  '<svg viewBox="0 0 24 24" aria-hidden="true"><path fill-rule="evenodd" d="M12 1a11 11 0 1 1 0 22 11 11 0 0 1 0-22zm6.2 7.6-1.9-1.9-6.1 6.2-2.6-2.6-1.9 1.9 4.5 4.5z"/></svg>';
const BAR = '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M3 10.5h18v3H3z"/></svg>';
const DOT = '<svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="11"/></svg>';

/** The hatching of shapes of possible incidents. */
const HATCHES = Object.entries({ critical: 'cr', high: 'hi', medium: 'me', low: 'lo' })
  .map(
    ([id, colour]) =>
      `<pattern id="${id}" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0h3v6H0z" fill="var(--${colour})"/></pattern>`,
  )
  .join('');

const shape = (severity: Severity) =>
  `<svg class="y" viewBox="0 0 24 24" aria-hidden="true"><path d="${SHAPES[severity]}"/>${severity === 'critical' ? `<path class="q" d="${CUT}"/>` : ''}</svg>`;

const itemOf = ({ severity, look, title, words }: PageItem) =>
  `<li class="i ${severity} ${look}">${shape(severity)}<div><h2>${html(title)}</h2><p>${html(words)}</p></div></li>`;

function bodyOf(page: PublicPage): string {
  const { subject, title, at, counted, items, alert, blind } = page;
  const spans = counted.map((words) => `<span>${html(words)}</span>`).join('');
  const age = `<p class="age" role="status"><b>${DOT}As of ${LONDON_CLOCK.format(at)}</b><span id="age">less than a minute old</span>${spans}</p>`;
  const see = `<div class="see">${BAR}<p><b>${html(blind.title)}</b>${html(blind.words)}</p></div>`;
  const kind = `<p class="k">${MARK}${html(subject)}</p>`;
  const sign = '<p class="sign" id="sign" role="status"></p>';
  const foot = `<div class="foot"><p>This page renews itself each minute and ends ${endWords(page)}. Times are UK time. Check before you travel.</p><p>From Clearway, from what publishers say.</p></div>`;
  if (!alert) {
    const list = items.length > 0 ? `<ol>${items.map(itemOf).join('')}</ol>` : '';
    return `${kind}<h1>${html(title)}</h1>${age}${sign}${blind.isFirst ? see + list : list + see}${foot}`;
  }
  const facts = alert.facts
    .map(([name, value]) => `<div><dt>${html(name)}</dt><dd>${html(value)}</dd></div>`)
    .join('');
  const said = `<dl>${facts}</dl>${alert.words && `<p class="say">${html(alert.words)}</p>`}`;
  const head = alert.over
    ? `<div class="end">${TICK}<p><b>${html(alert.over.since)}</b><span>${html(alert.over.words)}</span></p></div><div class="was"><h1>It was: ${html(title)}</h1></div>`
    : `<div class="pl${alert.isCritical ? ' critical' : ''}"><h1>${html(title)}</h1><p>${html(alert.grade)}</p></div>`;
  return `${kind}${head}${age}${sign}${blind.isFirst ? see + said : said + see}${foot}`;
}

const DAY = london({ dateStyle: 'short' });
const FULL_DAY = london({ weekday: 'long', day: 'numeric', month: 'long' });

/** "today at 11:52", "on Tuesday 1 December at 06:05" */
function endWords({ at, ends }: PublicPage): string {
  const day = DAY.format(ends) === DAY.format(at) ? 'today' : `on ${FULL_DAY.format(ends)}`;
  return `${day} at ${LONDON_CLOCK.format(ends)}`;
}

/** The whole page. Without scripts it reloads itself. */
export const pageOf = (page: PublicPage): string => {
  const { title, at, counted, alert } = page;
  const first = alert?.over?.since ?? counted[0];
  return whole([title, first, `as of ${LONDON_CLOCK.format(at)}`].filter(Boolean).join(', '), bodyOf(page));
};

/** The page in place of one that has ended, or never existed. */
export const endedPage = (): string =>
  whole(
    'This page has ended.',
    `<p class="k">${MARK}Travel disruption</p><h1>This page has ended.</h1><div class="foot"><p>Ask whoever gave you its address.</p></div>`,
  );

const whole = (title: string, body: string): string =>
  `<!doctype html><html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><meta name="referrer" content="no-referrer"><noscript><meta http-equiv="refresh" content="60"></noscript><title>${html(title)}</title><style>${STYLES}</style></head><body><svg class="h" aria-hidden="true"><defs>${HATCHES}</defs></svg><main>${body}</main><script>${SCRIPT}</script></body></html>`;
