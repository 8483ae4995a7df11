import type { PublicComponent, PublicGroup } from "../document/public-page.ts";
import { dayStrip } from "./days.ts";
import { html, type Markup } from "./html.ts";
import { responseChart } from "./response-times.ts";
import { TONE_OF_STATUS } from "./tone.ts";
import { uptimeInWords } from "./uptime.ts";
import type { View } from "./view.ts";
import type { Words } from "./words.ts";

/** All components, group by group. */
export function componentSection({ page, words }: View): Markup | false {
  const groups = page.groups.filter(({ components }) => components.length > 0);
  if (groups.length === 0) return false;
  return html`<section><h2>${words.say("part.components")}</h2>${groups.map((group) => groupCard(group, words, page.updatedAt))}</section>
`;
}

/** A group can be folded; one in trouble starts unfolded, whatever its owner chose. */
function groupCard(group: PublicGroup, words: Words, now: number): Markup {
  const list = html`<ul class="parts">${group.components.map((one) => componentRow(one, words, now))}</ul>`;
  if (group.name === null) return html`<div class="card">${list}</div>`;
  const isOpen = !group.isCollapsed || !["operational", "paused"].includes(group.status);
  return html`<details class="card" id="g-${group.uuid}"${isOpen && html` open`}><summary><h3>${group.name}</h3>${statusLabel(group.status, words)}</summary>${list}</details>`;
}

const statusLabel = (status: PublicGroup["status"], words: Words): Markup =>
  html`<span class="st ${TONE_OF_STATUS[status]}">${words.say(`status.${status}`)}</span>`;

function componentRow(component: PublicComponent, words: Words, now: number): Markup {
  const { name, description, status, days } = component;
  const uptime = uptimeInWords(component, words, now);
  const alone = days === null && uptime !== null && html`<p class="note">${uptime}</p>`;
  return html`
<li><div class="row"><span>${name}</span>${statusLabel(status, words)}</div>${description !== "" && html`<p class="note">${description}</p>`}${dayStrip(days, uptime, words)}${alone}${responseChart(component, words)}</li>`;
}
