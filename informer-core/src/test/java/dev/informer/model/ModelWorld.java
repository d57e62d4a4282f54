/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.model;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import dev.informer.InformerEvent;
import dev.informer.InformerFailure;
import dev.informer.InformerListener;
import dev.informer.SharedIndexInformer;
import dev.informer.controller.FakeAssignment;
import dev.informer.controller.FakeInformers;
import dev.informer.testing.FakeEtcd.Item;
import dev.informer.testing.FakeSource;
import dev.informer.testing.MappedSource;
import dev.informer.testing.SteppedThread;
import dev.informer.testing.SteppedThreads;
import io.kubernetes.client.openapi.models.V1Pod;

/**
 * Server, informer and handlers of a {@link ModelRun}, which all run in steps. Invariants
 * are checked after each step.
 */
final class ModelWorld {

	private final Trace trace = new Trace();

	private final SteppedThreads threads = new SteppedThreads();

	private final FakeSource source = new FakeSource().stepped(this.threads);

	private final List<ModelHandler> everAdded = new ArrayList<>();

	private final List<ModelHandler> handlers = new ArrayList<>();

	private final ModelSettings settings;

	private final FakeAssignment assignment = new FakeAssignment();

	/** Namespaces of the informer; the empty string for all of them. */
	private final Set<String> namespaces = new TreeSet<>();

	private final SharedIndexInformer<V1Pod> informer;

	private final ModelStore store;

	private boolean started;

	private int starts;

	/** Number of stops in progress. */
	private int stops;

	/**
	 * Whether the reflector may be ahead of the server after a rollback, and has not
	 * noticed.
	 */
	private boolean rewound;

	/** Number of requests before the last rollback. */
	private int requestsRewound;

	ModelWorld(ModelSettings settings) {
		this.settings = settings;
		this.trace.note(settings.toString());
		this.source.paging(settings.paging());
		this.source.lag(settings.lag());
		if (!settings.selected()) {
			this.namespaces.addAll(settings.namespaces().isEmpty() ? List.of("") : settings.namespaces());
		}
		ModelEncoding encoding = new ModelEncoding();
		this.informer = FakeInformers.assignedPods((namespace) -> new MappedSource(this.source.in(namespace), encoding),
				settings.selected() ? this.assignment : null, settings.options(),
				(changed) -> changed.threadFactory(this.threads).time(this.threads).addListener(new Hooks()));
		this.informer.addIndex(ModelStore.APP_INDEX, ModelPods::app);
		if (settings.transform()) {
			this.informer.setTransform(ModelPods::transform);
		}
		this.store = new ModelStore(this.informer, this.source, settings, this.trace);
	}

	Trace trace() {
		return this.trace;
	}

	ModelSettings settings() {
		return this.settings;
	}

	FakeSource source() {
		return this.source;
	}

	SteppedThreads threads() {
		return this.threads;
	}

	ModelStore store() {
		return this.store;
	}

	/**
	 * Return the handlers that were added and not removed.
	 */
	List<ModelHandler> handlers() {
		return this.handlers;
	}

	/**
	 * Let a thread make a step, and check the invariants.
	 */
	void step(SteppedThread thread) {
		this.trace.note(". " + thread.getName());
		int requests = this.source.requests().size();
		this.threads.step(thread);
		this.source.requests().stream().skip(requests).forEach((request) -> this.trace.note("  " + request));
		this.threads.failures().forEach((failure) -> this.trace.problem("a thread has ended with %s", failure));
		this.handlers.removeIf(ModelHandler::isRemoved);
		this.handlers.forEach(ModelHandler::check);
		if (thread.getName().endsWith("store")) {
			this.store.checkHalted();
			this.trace.note("  at " + this.store.version());
		}
	}

	/**
	 * Return whether no work is left, and store and handlers have the current state.
	 */
	boolean isAtRest() {
		return this.started && this.stops == 0 && !this.rewound && this.source.openWatches() == this.namespaces.size()
				&& this.informer.statesByNamespace().keySet().equals(this.namespaces) && this.source.isQuiet()
				&& this.informer.queueDepth() == 0
				&& this.informer.lastSyncResourceVersion().equals(Long.toString(this.source.version()))
				&& this.handlers.stream()
					.noneMatch((handler) -> handler.isBusy() || handler.registration().pending() > 0)
				&& this.threads.isWaiting();
	}

	/**
	 * Stop all faults from now on.
	 */
	void heal() {
		this.source.heal();
		if (this.namespaces.isEmpty()) {
			flip("ns");
		}
		this.everAdded.forEach(ModelHandler::settle);
	}

	/**
	 * Check the invariants that hold at rest.
	 */
	void checkAtRest() {
		this.handlers.forEach(ModelHandler::checkAtRest);
		this.trace.check(this.informer.hasSynced(), "the informer has not synced");
	}

	/**
	 * Close the informer.
	 */
	void close() {
		this.threads.start("close", this.informer::close);
	}

	/**
	 * Let a namespace join or leave the informer.
	 */
	void flip(String namespace) {
		if (!this.namespaces.remove(namespace)) {
			this.namespaces.add(namespace);
		}
		this.trace.note("namespaces " + this.namespaces);
		this.assignment.assign(this.namespaces.toArray(String[]::new));
	}

	/**
	 * Return the objects of the server in the namespaces of the informer.
	 */
	Map<String, Item> current() {
		Map<String, Item> current = new TreeMap<>(this.source.etcd().current());
		current.values().removeIf((item) -> this.namespaces.stream().noneMatch(item::isIn));
		return current;
	}

	boolean isRewound() {
		return this.rewound;
	}

	/**
	 * Break the open watches if the reflector may be ahead of the server, so that it
	 * requests the current state.
	 */
	void findOut() {
		this.rewound = !this.store.isComplete() || Long.parseLong(this.store.version()) > this.source.version();
		if (this.rewound && this.source.openWatches() > 0) {
			this.source.vanish();
		}
	}

	void rollBack(long version) {
		this.rewound |= this.source.rollBack(version);
		this.requestsRewound = this.source.requests().size();
	}

	/**
	 * Return whether the reflector has requested a list since the last rollback.
	 */
	private boolean isListed() {
		return this.source.requests()
			.stream()
			.skip(this.requestsRewound)
			.anyMatch((request) -> !request.startsWith("WATCH") && !request.equals("LIST continue"));
	}

	void addHandler(Random random) {
		HandlerProfile profile = HandlerProfile.random("h" + (this.everAdded.size() + 1), random);
		this.trace.note("add " + profile);
		ModelHandler handler = new ModelHandler(profile, this.informer, this.store, this.threads,
				new Random(random.nextLong()), this.trace);
		if (this.stops > 0) {
			handler.stopping(true);
		}
		this.everAdded.add(handler);
		this.handlers.add(handler);
	}

	/**
	 * Start the informer, possibly during a stop.
	 */
	void start() {
		if (!this.started) {
			this.trace.note("start");
			this.started = true;
			this.starts++;
			this.handlers.forEach((handler) -> handler.stopped(false));
			this.informer.start();
		}
	}

	void stop(Duration drain) {
		if (this.started) {
			this.trace.note("stop, drain " + drain);
			this.started = false;
			this.stops++;
			int run = this.starts;
			this.handlers.forEach((handler) -> handler.stopping(true));
			step(this.threads.start("stop", () -> {
				this.informer.stop(drain);
				this.stops--;
				this.trace.note("stopped");
				this.handlers.forEach((handler) -> {
					handler.stopping(this.stops > 0);
					handler.stopped(run == this.starts);
				});
			}));
		}
	}

	@Override
	public String toString() {
		return "server at " + this.source.version() + " with " + this.source.openWatches() + " watches, rewound "
				+ this.rewound + ", store at " + this.store + ", queue " + this.informer.queueDepth() + ", handlers "
				+ this.handlers + ", state " + this.informer.statesByNamespace() + ", threads " + this.threads.all();
	}

	/**
	 * Listener that lets other threads continue between the end of an invocation and its
	 * consequences, and records the events that handlers have to receive.
	 */
	private final class Hooks implements InformerListener {

		@Override
		public void onEvent(InformerEvent event) {
			if (event instanceof InformerEvent.CacheChanged) {
				ModelWorld.this.threads.progressed();
				ModelWorld.this.store.checkChanged();
				ModelWorld.this.handlers.forEach(ModelHandler::storeChanged);
			}
			else if (event instanceof InformerEvent.HandlerInvoked) {
				ModelWorld.this.threads.pause();
			}
			else if (event instanceof InformerEvent.Listed listed) {
				ModelWorld.this.rewound &= !(listed.success() && isListed());
			}
			else if (event instanceof InformerEvent.Failed failed) {
				ModelWorld.this.trace.check(
						failed.namespace() != null || failed.failure().kind() != InformerFailure.Kind.OTHER, "%s: %s",
						failed.failure().message(), failed.failure().cause());
			}
		}

	}

}
