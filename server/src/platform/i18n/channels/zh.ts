import type { channels as englishChannels, explanations as englishExplanations } from "./en.ts";

export const channels: Readonly<Record<keyof typeof englishChannels, string>> = {
  "delivery.accepted": "{where} 已接收（{status}）。",
  "delivery.refused": "{where} 拒绝了消息（{status}）：{said}",
  "delivery.ended": "{where} 不再接收来自此处的消息（{status}）：{said}",
  "delivery.failed": "{where} 未能接收消息（{status}）：{said}",
  "delivery.busy": "{where} 暂时不再接收消息（{status}）。",
  "delivery.redirect": "{where} 返回了重定向（{status}），Vedette 不会跟随。",
  "delivery.unreached": "未能送达。{because}",
  "delivery.channel_off": "该渠道已停用。",
  "delivery.channel_gone": "该渠道已不存在。",
  "delivery.unknown_type": "此版本的 Vedette 不支持类型为 {type} 的渠道。",
  "delivery.waits": "消息已在等待发送。",
  "delivery.followed":
    "这条消息已过时：之后已发送或尝试发送关于同一事项的更新消息。未发送任何内容。如需重新发送，请选择最新的一条。",
  "delivery.recovered":
    "这条消息已过时：{name} 此后已恢复正常。未发送任何内容。可在事件页面查看谁已收到恢复通知。",
  "delivery.down_again":
    "这条消息已过时：{name} 再次出现问题。未发送任何内容。可在事件页面查看谁已收到通知。",
  "delivery.regrouped":
    "这条消息已过时：其所属事件此后已被合并、拆分或删除。未发送任何内容。请选择较新的消息，或查看该事件。",
  "delivery.changed":
    "这条消息已过时：其内容已不符合当前情况。未发送任何内容。渠道尚缺的信息会由 Vedette 自动发送。",
  "channel.taken": "已有名为 {name} 的渠道，请换一个名称。",
  "channel.many": "每个组织最多可有 {limit} 个渠道。",
  "channel.template_name": "模板引用了 {name}，但消息中没有此项。",
  "channel.template_block": "模板中含有 {block}。模板只能填入 {field} 这样的字段，不支持循环和条件。",
  "channel.template_json": "模板看起来是 JSON，但填入内容后并不是有效的 JSON。",
  "channel.key_or_urls": "请填写已保存配置的密钥或 URL，二者选一。",
  "channel.hours": "时间段必须是两个不同的时刻，例如 08:00 和 18:00。",
  "delivery.merged": "已合并到另一条消息中。",
  "delivery.over": "在送达之前，故障已经结束。",
  "settings.unconfirmed": "尚未确认此地址属于您。在您点击确认邮件中的链接之前，不会向其发送消息。",
  "settings.confirmed": "无需再次询问：消息已可发送到您的地址。",
  "settings.nowhere": "还没有可以发送测试消息的地址。请先填写并保存。",
  "notification.digest": "{count} 个监控项的状态发生了变化。",
  "push.gone": "该浏览器已不再订阅。",
  "push.https": "推送服务的地址以 https:// 开头。",
  "push.keys": "这不是浏览器订阅的密钥。",
  "notification.reminder_device": "{name} 出现问题已持续 {lasted:duration}，尚未确认。",
  "notification.reminder": "{name} 已持续故障 {lasted:duration}，尚未确认。",
  "notification.certificate_expiring": "{because}{issued:word}",
  "notification.certificate_invalid": "{because}检查设置为接受它。{issued:word}",
  "notification.certificate_renewed": "有效期至{day:day}。{issued:word}",
  "notification.certificate_unwatched": "已停止监控 {name} 的证书（{because}）。",
  "notification.objective_burning": "{span:duration}内消耗了 {share:percent} 的错误预算。{because}",
  "notification.objective_steady": "错误预算的消耗已不再过快。{because}",
  "notification.objective_unwatched": "不再监控错误预算（{because}）。",
  "notification.no_objective": "已不设可用性目标",
  "notification.budget_left":
    "还剩 {left:duration}，共 {allowed:duration}：目标是 {days} 天内 {percent:percent}。",
  "notification.budget_spent":
    "{allowed:duration}已全部用完，另超出 {over:duration}：目标是 {days} 天内 {percent:percent}。",
  "issued.by": "颁发者：{issuer}。",
  "issued.unknown": "",
  "notification.incident_said": "{said}",
  "notification.incident_log": "{because}",
  "notification.test": "这是一条测试消息。有关您的监控项的消息将发送到这里。",
  "delivery.unconfirmed": "该地址尚未确认。在确认之前，只会向其发送确认请求。",
  "delivery.needless": "不再需要确认请求：已得到答复，或渠道已更换地址。",
  "delivery.is_confirmation":
    "这是询问是否可以向该地址发送邮件的请求。请在渠道页面上或通过 POST …/confirmation 重新发送。",
  "channel.confirmed": "该渠道已确认，无需再次询问。",
  "channel.address_limit": "一天之内已多次向该地址发送确认请求。请明天再试，同时检查垃圾邮件文件夹。",
  "channel.confirmation_limit": "该组织一天之内发送的确认请求过多。请明天再试。",
  "notification.confirmation":
    "{organization} 希望 Vedette 在其监控的对象发生故障和恢复正常时向 {address} 发送邮件。如果您同意，请在七天内确认。如果不同意，则无需任何操作：您不会收到任何邮件。",
  "notification.confirmation_own":
    "有人在 {where} 上使用地址 {address} 创建了账户，Vedette 在那里监控网站和服务。如果这是您的账户，请在七天内确认：之后发生故障和恢复正常时，您会收到邮件通知。如果不是，则无需任何操作：您不会收到此类邮件。",
  "notification.channel_off": "通知渠道 {name} 已被禁用：对方拒绝接收消息。{because}",
};

export const explanations: Readonly<Record<keyof typeof englishExplanations, string>> = {
  "explain.down":
    "故障：{fresh} 个监测点中有 {failing} 个失败，需要 {needed} 个。首次失败：{first:time}，来自 {location:place}。{because}",
  "explain.down_alone":
    "故障：{location:place} 连续失败 {failures} 次，需要 {needed} 次。首次失败：{first:time}。{because}",
  "explain.down_once": "故障：{location:place} 失败一次即可判定，发生于 {first:time}。{because}",
  "explain.up":
    "已恢复：{fresh} 个监测点中有 {up} 个正常，需要 {needed} 个。首次成功：{first:time}，来自 {location:place}。",
  "explain.up_alone":
    "已恢复：{location:place} 连续成功 {successes} 次，需要 {needed} 次。首次成功：{first:time}。",
  "explain.up_once": "已恢复：{location:place} 成功一次即可判定，发生于 {first:time}。",
  "explain.first": "正常：{first:time} 从 {location:place} 检查成功。",
  "explain.degraded":
    "性能下降：可以工作，但较慢或并非所有监测点都正常。{fresh} 个监测点中有 {failing} 个失败，达到 {needed} 个才算故障。{because}",
  "explain.recorded": "自 {at:time} 起：{state:word}。{because}",
  "place.local": "Vedette 服务器",
  "state.up": "正常",
  "state.degraded": "性能下降",
  "state.down": "故障",
  "state.unknown": "未知",
  "explain.vote_failing": "{location:place}：失败，自 {since:time} 起连续 {count} 次。{because}",
  "explain.vote_suspect":
    "{location:place}：自 {since:time} 起连续失败 {count} 次，需要 {needed} 次才计入。{because}",
  "explain.vote_recovering":
    "{location:place}：自 {since:time} 起连续成功 {count} 次，需要 {needed} 次才算恢复。",
  "explain.vote_ok": "{location:place}：正常，自 {since:time} 起连续 {count} 次。",
  "explain.vote_stale": "{location:place}：自 {since:time} 起没有结果，因此不计入。",
  "explain.no_results": "相关的检查结果已超过保留期限，只能说明当时记录的内容。",
  "explain.differs": "监控项此后被修改过，或结果迟到：按现在的设置，已保存的结果会得出与记录不同的过程。",
  "explain.cut": "结果太多，无法全部处理：{until:time} 之后的结果未计入。",
  "explain.deleted": "该监控项已被删除，其结果也一并删除。",
  "explain.maintenance": "{until:time} 之前处于维护中：检查照常进行，但不会通知任何人。",
  "explain.more": "共 {total} 次故障，这里解释前 {shown} 次。",
  "whatif.same":
    "若连续失败 {confirmations} 次判为故障、连续成功 {recoveries} 次判为恢复，且要求{quorum:word}：会在同一时刻发现。",
  "whatif.later":
    "若连续失败 {confirmations} 次判为故障、连续成功 {recoveries} 次判为恢复，且要求{quorum:word}：会晚 {by:duration}发现。",
  "whatif.earlier":
    "若连续失败 {confirmations} 次判为故障、连续成功 {recoveries} 次判为恢复，且要求{quorum:word}：会早 {by:duration}发现。",
  "whatif.none":
    "若连续失败 {confirmations} 次判为故障、连续成功 {recoveries} 次判为恢复，且要求{quorum:word}：完全不会报警。",
  "quorum.majority": "超过半数监测点失败",
  "quorum.count": "至少 {locations} 个监测点失败",
  "whatif.closed_later": "事件会晚 {by:duration}关闭。",
  "whatif.closed_earlier": "事件会早 {by:duration}关闭。",
  "whatif.open": "事件到现在仍不会关闭。",
  "whatif.several": "会有 {count} 次报警，而不是 {before} 次。",
  "whatif.assumed": "这些设置本应触发但实际没有进行的复查，按其前后检查的结果推定（{count} 次）。",

  "incident.not_grouped": "没有可分离的内容：此事件只涉及一个监控项。",
  "incident.not_in_it": "此事件中没有该 ID 的故障监控项。",
};
