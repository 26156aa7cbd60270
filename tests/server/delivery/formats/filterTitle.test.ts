import { expect, it } from 'vitest';
import { ConditionsQuery } from '../../../../server/delivery/formats/formatConditions.ts';
import { titleOfFilter } from '../../../../server/delivery/formats/formatAnswers.ts';

it.each([
  ['', 'Alerts'],
  ['category=rail', 'Rail'],
  ['source=tfl&q=signal', 'Alerts, Transport for London, “signal”'],
  ['feed=roads-uk&road=m62', 'Roads, M62'],
  ['near=Leeds', 'Alerts, within 25 km of Leeds'],
  ['near=Leeds&radius_km=5', 'Alerts, within 5 km of Leeds'],
  ['severity=critical,high', 'Alerts, critical or high'],
  ['min_severity=critical', 'Alerts, critical'],
  ['min_severity=medium&hide_unrated=true', 'Alerts, medium or worse, rated only'],
  ['phase=planned', 'Alerts, planned'],
  ['position=none', 'Alerts, without a position'],
  ['level=certain', 'Alerts, certain on our routes'],
  ['watch=w1', 'Alerts, on one route'],
  ['north=54&south=53&east=-1&west=-2', 'Alerts, between 53 and 54 N, -2 and -1 E'],
])('“%s” is called %s', (query, title) => {
  expect(titleOfFilter(ConditionsQuery.parse(Object.fromEntries(new URLSearchParams(query))))).toBe(title);
});
