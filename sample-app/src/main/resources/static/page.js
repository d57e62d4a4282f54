// Shows the server-sent events of /events: a snapshot first, then the changes.
// All text is set as textContent, so that no text of the cluster is interpreted as markup.

const LOG_LENGTH = 50;
const IDLE_TIMEOUT = 40_000; // the server sends an event at least every 15 s
const LAST = "\uffff"; // sorts after every name
const PHASES = {
	PENDING: "waiting for the controller",
	PROGRESSING: "in progress",
	STALLED: "stalled",
	FINISHED: "finished"
};

const element = id => document.getElementById(id);
const pods = new Map(); // by namespace and name: { pod, item, node }
const nodes = new Map(); // by name: { article, list, counts, pods }
const rollouts = new Map(); // by namespace and name: { rollout, item }

// --- Connection -------------------------------------------------------------------------

let retryDelay = 1_000;

function connect() {
	const source = new EventSource("events");
	let idle;
	const broken = () => {
		clearTimeout(idle);
		source.close();
		showConnection("reconnecting", "Reconnecting");
		setTimeout(connect, retryDelay * (0.5 + Math.random() / 2));
		retryDelay = Math.min(2 * retryDelay, 15_000);
	};
	const on = (name, show) => source.addEventListener(name, event => {
		clearTimeout(idle);
		idle = setTimeout(broken, IDLE_TIMEOUT);
		show(event.data && JSON.parse(event.data));
		showTotals();
	});
	on("snapshot", snapshot => {
		retryDelay = 1_000;
		showSnapshot(snapshot);
		showConnection("live", "Live");
	});
	on("pod", pod => showPod(pod, true));
	on("pod-gone", pod => removePod(keyOf(pod)));
	on("rollout", rollout => showRollout(rollout, true));
	on("rollout-gone", rollout => removeRollout(rollout.deployment, true));
	on("keep-alive", () => {});
	source.onerror = broken;
}

function showConnection(state, text) {
	const connection = element("connection");
	if (connection.dataset.state !== state) {
		connection.dataset.state = state;
		connection.textContent = text;
	}
	document.body.toggleAttribute("data-stale", state !== "live");
}

function showSnapshot(snapshot) {
	const here = new Set(snapshot.pods.map(keyOf));
	[...pods.keys()].filter(key => !here.has(key)).forEach(removePod);
	snapshot.pods.forEach(pod => showPod(pod, false));
	const deployed = new Set(snapshot.rollouts.map(rollout => rollout.deployment));
	[...rollouts.keys()].filter(key => !deployed.has(key)).forEach(key => removeRollout(key, false));
	snapshot.rollouts.forEach(rollout => showRollout(rollout, false));
}

// --- Pods -------------------------------------------------------------------------------

const keyOf = pod => pod.namespace + "/" + pod.name;

function showPod(pod, isNews) {
	const key = keyOf(pod);
	let shown = pods.get(key);
	if (shown && JSON.stringify(shown.pod) === JSON.stringify(pod)) {
		return;
	}
	if (!shown) {
		shown = { item: copyOf("pod-template") };
		showName(shown.item.querySelector(".name"), key);
		pods.set(key, shown);
	}
	shown.pod = pod;
	shown.item.querySelector(".dot").dataset.state = pod.state;
	shown.item.querySelector(".state").textContent = pod.status;
	const node = nodeNamed(pod.node ?? "");
	if (shown.node !== node) {
		leaveNode(shown);
		shown.node = node;
		node.pods.add(shown);
		insertSorted(node.list, shown.item, key);
	}
	showCounts(node);
	markFresh(shown.item, isNews);
}

function removePod(key) {
	const shown = pods.get(key);
	if (shown) {
		pods.delete(key);
		leaveNode(shown);
	}
}

function leaveNode(shown) {
	const node = shown.node;
	if (node) {
		shown.item.remove();
		node.pods.delete(shown);
		if (node.pods.size === 0) {
			nodes.delete(node.name);
			node.article.remove();
		}
		showCounts(node);
	}
}

function nodeNamed(name) {
	let node = nodes.get(name);
	if (!node) {
		const article = copyOf("node-template");
		article.querySelector("h3").textContent = name || "Not scheduled yet";
		node = { name, article, list: article.querySelector("ul"), counts: article.querySelector(".counts"), pods: new Set() };
		nodes.set(name, node);
		insertSorted(element("nodes"), article, name || LAST);
	}
	return node;
}

function showCounts(node) {
	node.counts.textContent = `${readyOf([...node.pods])} ready`;
}

// pods that end or have ended are not expected to be ready
function readyOf(shown) {
	const active = shown.filter(({ pod }) => !["TERMINATING", "SUCCEEDED", "FAILED"].includes(pod.state));
	return `${active.filter(({ pod }) => pod.state === "READY").length} of ${active.length}`;
}

// --- Rollouts ---------------------------------------------------------------------------

function showRollout(rollout, isNews) {
	const key = rollout.deployment;
	let shown = rollouts.get(key);
	if (shown && JSON.stringify(shown.rollout) === JSON.stringify(rollout)) {
		return;
	}
	if (!shown) {
		shown = { item: copyOf("rollout-template") };
		showName(shown.item.querySelector("h3"), key);
		rollouts.set(key, shown);
		insertSorted(element("rollouts"), shown.item, key);
	}
	shown.rollout = rollout;
	shown.item.dataset.phase = rollout.phase;
	showOwner(shown.item, key);
	shown.item.querySelector(".phase").textContent = PHASES[rollout.phase] ?? rollout.phase;
	shown.item.querySelector(".counts").textContent = inWords(rollout);
	showBar(shown.item, rollout);
	markFresh(shown.item, isNews);
	if (isNews) {
		log(`${key}: ${inWords(rollout)}, ${PHASES[rollout.phase] ?? rollout.phase}`);
	}
}

// Old pods may be among the available ones, so only those that exceed them are progress.
function showBar(item, { desired, updated, outdated, available }) {
	const share = pods => desired > 0 ? Math.min(100, 100 * pods / desired) : 100;
	const done = share(Math.min(updated, Math.max(0, available - outdated)));
	item.querySelector(".available").style.width = `${done}%`;
	item.querySelector(".updated").style.width = `${share(updated) - done}%`;
}

function removeRollout(key, isNews) {
	const shown = rollouts.get(key);
	if (shown) {
		rollouts.delete(key);
		shown.item.remove();
		if (isNews) {
			log(`${key} was deleted`);
		}
	}
}

function inWords({ desired, updated, outdated, available }) {
	return `${updated} of ${desired} updated, ${available} available` + (outdated > 0 ? `, ${outdated} outdated` : "");
}

// --- Replicas ---------------------------------------------------------------------------

const REPLICA_PERIOD = 2_000;
let replica; // undefined without the profile "replicas"

async function followReplica() {
	try {
		const response = await fetch("replica");
		if (response.status === 204) {
			return;
		}
		replica = await response.json();
		showReplica();
	}
	catch {
		// the connection is shown as broken
	}
	setTimeout(followReplica, REPLICA_PERIOD);
}

function showReplica() {
	const { identity, leader, slots, owned } = replica;
	const led = leader === identity ? "the leader" : leader ? `the leader is ${leader}` : "there is no leader";
	element("replica").textContent = `Replica ${identity}: ${led}, ${owned.length} of ${slots} slots`;
	element("replica").hidden = false;
	rollouts.forEach((shown, key) => showOwner(shown.item, key));
}

function showOwner(item, key) {
	if (replica) {
		const owner = replica.deployments.includes(key) ? "this" : "other";
		item.dataset.owner = owner;
		item.querySelector(".owner").textContent = owner === "this" ? "logged by this replica" : "logged by another replica";
	}
}

// --- Other parts of the page ------------------------------------------------------------

function showTotals() {
	const places = [...nodes.keys()].filter(name => name !== "").length;
	element("totals").textContent = pods.size > 0 ? `${readyOf([...pods.values()])} pods ready on ${count(places, "node")}` : "";
	element("no-pods").hidden = pods.size > 0;
	element("no-rollouts").hidden = rollouts.size > 0;
}

function count(number, noun) {
	return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function log(text) {
	const item = document.createElement("li");
	const time = document.createElement("time");
	const now = new Date();
	time.dateTime = now.toISOString();
	time.textContent = now.toLocaleTimeString([], { hour12: false });
	item.append(time, text);
	const list = element("log");
	list.prepend(item);
	while (list.children.length > LOG_LENGTH) {
		list.lastChild.remove();
	}
	element("no-log").hidden = true;
}

function copyOf(template) {
	return element(template).content.firstElementChild.cloneNode(true);
}

function showName(target, key) {
	const [namespace, name] = key.split("/");
	const quiet = document.createElement("span");
	quiet.className = "namespace";
	quiet.textContent = namespace + "/";
	target.replaceChildren(quiet, name);
}

function insertSorted(parent, child, key) {
	child.dataset.key = key;
	const next = [...parent.children].find(other => other.dataset.key > key);
	parent.insertBefore(child, next ?? null);
}

function markFresh(item, isNews) {
	item.classList.remove("fresh");
	if (isNews) {
		void item.offsetWidth; // restarts the animation
		item.classList.add("fresh");
	}
}

connect();
followReplica();
