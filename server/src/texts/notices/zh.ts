import type { notices as english } from "./en.ts";

/** What incidents and notices say, in Chinese; see en.ts. */
export const notices: Readonly<Record<keyof typeof english, string>> = {
  "incident.down": "{name} 发生故障",
  "incident.down_over": "{name} 曾发生故障",
  "incident.outage": "{name} 自 {since:time} 起无法正常工作。{because}",
  "incident.outage_over": "{name} 于 {since:time} 发生故障。{because}",
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
  "incident.merged": "事件“{title}”已并入本事件。{because}",

  "incident.outages": "{name} 及{others:count}自 {since:time} 起无法正常工作。{because}",
  "incident.outages_over": "{name} 及{others:count}于 {since:time} 发生故障。{because}",
  "incident.outages_merged": "{name} 及{others:count}无法正常工作，最早的自 {since:time} 起。{because}",
  "incident.outages_merged_over": "{name} 及{others:count}发生故障，最早的始于 {since:time}。{because}",
  "incident.down_several": "{name} 及{others:count}发生故障",
  "incident.down_several_over": "{name} 及{others:count}曾发生故障",
  "others.one": "另外 {others} 个监控项",
  "others.other": "另外 {others} 个监控项",
  "incident.joined": "{name} 也发生故障。{because}",
  "incident.joined_several": "{name} 及{others:count}也发生故障。{because}",
  "incident.down_again": "{name} 再次发生故障。",
  "incident.down_again_several": "{name} 及{others:count}再次发生故障。",
  "incident.split": "{name} 已从本事件中分离，单独成为一个事件。{because}",
  "incident.split_off": "{name} 是从另一事件中分离出来的。{because}",
  "incident.see": "参见事件 #{incident}。",
  "grouped.parent": "它们都依赖于 {name}。",
  "grouped.behind": "{name} 发生故障，其余监控项都依赖于它。",
  "grouped.host": "它们都在主机 {host} 上。",
  "grouped.address": "它们都使用地址 {address}。",
  "grouped.network": "从 {location} 都无法访问它们，可能是该地点的网络问题。",
  "grouped.merged": "有人将它们的事件合并到了一起。",
  "notice.down_together": "{name} 及{others:count}自 {since:time} 起发生故障。{because}",
  "notice.recovered_together": "{name} 及{others:count}自 {since:time} 起已恢复正常。",

  "notice.acknowledged": "{who} 已确认 {name} 的故障。",
  "notice.down": "{name} 自 {since:time} 起发生故障。{because}",
  "notice.down_among":
    "{name} 自 {since:time} 起发生故障。{because}共有 {count} 个监控项同时发生故障，最先是 {lead}。",
  "notice.up": "{name} 自 {since:time} 起完全恢复正常。",
  "notice.recovered": "{name} 自 {since:time} 起恢复正常，故障持续了 {lasted:duration}。",
  "notice.degraded": "{name} 自 {since:time} 起性能下降。{because}",
  "notice.flapping": "{name} 反复发生故障又恢复。{because}待其稳定一段时间后会再通知您。",
  "notice.settled_up":
    "{name} 已恢复稳定：自 {since:time} 起连续十次检测正常。此前它反复发生故障又恢复，持续了 {unstable:duration}。",
  "notice.settled_down":
    "{name} 不再反复，但自 {since:time} 起一直处于故障状态。此前它反复发生故障又恢复，持续了 {unstable:duration}。",
  "notice.stopped": "对 {name} 的监控已于 {since:time} 停止。{because}尚不清楚它是否正常。",
  "notice.unwatched": "自 {since:time} 起不再监控 {name}。{because}",
};
