import type { PublicComponent, PublicGroup } from "../document/public-page.ts";
import { dayStrip } from "./days.ts";
import { html, type Markup } from "./html.ts";
import { responseChart } from "./response-times.ts";
import { TONE_OF_STATUS } from "./tone.ts";
import { uptimeInWords } from "./uptime.ts";
import { addressOf, type View } from "./view.ts";
import type { Words } from "./words.ts";

/** All components, group by group. */
export function componentSection(view: View): Markup | false {
  const { page, words } = view;
  const groups = page.groups.filter(({ components }) => components.length > 0);
  if (groups.length === 0) return false;
  return html`<section><h2>${words.say("part.components")}</h2>${groups.map((group) => groupCard(group, view))}</section>
`;
}

/** A group can be folded; one in trouble starts unfolded, whatever its owner chose. */
function groupCard(group: PublicGroup, view: View): Markup {
  const { words } = view;
  const list = html`<ul class="parts">${group.components.map((one) => componentRow(one, view))}</ul>`;
  if (group.name === null) return html`<div class="card">${list}</div>`;
  const isOpen = !group.isCollapsed || !["operational", "paused"].includes(group.status);
  return html`<details class="card" id="g-${group.uuid}"${isOpen && html` open`}><summary><h3>${group.name}</h3>${statusLabel(group.status, words)}</summary>${list}</details>`;
}

const statusLabel = (status: PublicGroup["status"], words: Words): Markup =>
  html`<span class="st ${TONE_OF_STATUS[status]}">${words.say(`status.${status}`)}</span>`;

/** The incidents that make it what it is, each with a link. */
const reportedOf = (component: PublicComponent, view: View): Markup[] =>
  view.page.incidents
    .filter(({ uuid }) => component.incidents.includes(uuid))
    .map(
      ({ uuid, title }) =>
        html`<p class="note"><a href="${addressOf(view, `/incidents/${uuid}`)}">${view.words.sentence(title)}</a></p>`,
    );

function componentRow(component: PublicComponent, view: View): Markup {
  const { words } = view;
  const { name, description, status, days } = component;
  const uptime = uptimeInWords(component, words, view.page.updatedAt);
  const alone = days === null && uptime !== null && html`<p class="note">${uptime}</p>`;
  return html`
<li><div class="row"><span>${name}</span>${statusLabel(status, words)}</div>${reportedOf(component, view)}${description !== "" && html`<p class="note">${description}</p>`}${dayStrip(days, uptime, words)}${alone}${responseChart(component, words)}</li>`;
}
