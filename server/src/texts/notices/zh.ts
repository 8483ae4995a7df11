import type { notices as english } from "./en.ts";

/** What incidents and notices say, in Chinese; see en.ts. */
export const notices: Readonly<Record<keyof typeof english, string>> = {
  "incident.down": "{name} 发生故障",
  "incident.outage": "{name} 自 {since:time} 起无法正常工作。{because}",
  "incident.recovered": "{name} 已恢复正常。故障持续了 {lasted:duration}。",
  "incident.unwatched":
    "{name} 已不再受到监控，此事件因此在 {lasted:duration}后关闭。尚不清楚它是否已恢复正常。",
  "incident.status_set": "事件状态变为：{stage:word}。",
  "stage.open": "未处理",
  "stage.investigating": "调查中",
  "stage.identified": "已查明原因",
  "stage.monitoring": "已修复，观察中",
  "stage.resolved": "已解决",
  "incident.reopened": "事件已重新打开。",
  "incident.merged": "事件“{title}”已并入本事件。",

  "notice.down": "{name} 自 {since:time} 起发生故障。{because}",
  "notice.up": "{name} 自 {since:time} 起完全恢复正常。",
  "notice.recovered": "{name} 自 {since:time} 起恢复正常，故障持续了 {lasted:duration}。",
  "notice.degraded": "{name} 自 {since:time} 起性能下降。{because}",
  "notice.flapping": "{name} 反复发生故障又恢复。{because}待其稳定一段时间后会再通知您。",
  "notice.stopped": "对 {name} 的监控已于 {since:time} 停止。{because}尚不清楚它是否正常。",
};
