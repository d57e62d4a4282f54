/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.informer.HandlerDiagnosis.Cause;
import dev.informer.HandlerDiagnosis.Reason;
import dev.informer.InformerOptions;
import dev.informer.InformerState;
import dev.informer.InformerState.Phase;
import dev.informer.SharedIndexInformer;
import dev.informer.cache.StaleObjects;
import dev.informer.client.Moment;
import org.jspecify.annotations.Nullable;

/**
 * Causes within an informer for which its handlers are not invoked. Thread-safe, without
 * a lock.
 */
final class InformerDiagnostics {

	private final SharedProcessor<?> processor;

	private final SharedIndexInformer<?> informer;

	private final StaleObjects staleObjects;

	InformerDiagnostics(SharedProcessor<?> processor, ProcessorSettings<?> settings) {
		this.processor = processor;
		this.informer = settings.informer();
		this.staleObjects = settings.cache().staleObjects();
	}

	String name() {
		return this.informer.name();
	}

	/**
	 * Return the causes that concern all objects.
	 */
	List<Cause> causes() {
		return causes(this.informer.state());
	}

	/**
	 * Return the causes that concern one object.
	 * @param cached whether the object is cached
	 */
	List<Cause> causes(@Nullable String namespace, String key, boolean cached) {
		Map<String, InformerState> states = this.informer.statesByNamespace();
		InformerState state = states.get((namespace == null || states.containsKey("")) ? "" : namespace);
		boolean known = this.informer.options().namespaceSelector() == null || this.informer.hasSynced();
		if (state == null && known) {
			return List.of(outside(namespace));
		}
		List<Cause> causes = new ArrayList<>(causes((state != null) ? state : this.informer.state()));
		StaleObjects.Cause stale = this.staleObjects.find(key);
		if (stale != null) {
			causes.add(new Cause(
					Reason.UNDECODABLE, "The current state of the object cannot be read: " + stale.reason()
							+ ". The cache " + (cached ? "keeps an earlier state" : "does not have the object"),
					stale.time()));
		}
		else if (!cached && this.informer.hasSynced()) {
			causes.add(missing());
		}
		return causes;
	}

	private List<Cause> causes(InformerState state) {
		Instant since = state.since().time();
		if (this.processor.isClosed()) {
			return List.of(new Cause(Reason.INFORMER_CLOSED, "Informer '" + name() + "' is closed", since));
		}
		String failure = (state.failure() != null) ? state.failure().message() : "phase " + state.phase();
		Phase phase = state.phase();
		if (phase == Phase.NOT_STARTED) {
			return List.of(new Cause(Reason.INFORMER_NOT_STARTED,
					"Informer '" + name() + "' was not started. Start it, its factory or the application", since));
		}
		if (phase == Phase.STOPPED) {
			return List.of(new Cause(Reason.INFORMER_STOPPED,
					"Informer '" + name() + "' was stopped. Pending events are delivered after the next start", since));
		}
		if (phase == Phase.FAILED) {
			return List
				.of(new Cause(Reason.INFORMER_FAILED, "Informer '" + name() + "' has failed: " + failure, since));
		}
		Moment failing = state.failingSince();
		if (!this.informer.hasSynced()) {
			return List.of(new Cause(Reason.INFORMER_NOT_SYNCED,
					"The cache of informer '" + name() + "' has never been complete: " + failure,
					(failing != null) ? failing.time() : since));
		}
		return (state.failure() != null) ? List
			.of(new Cause(Reason.INFORMER_STALE, "Informer '" + name() + "' does not follow the server: " + failure,
					(failing != null) ? failing.time() : since))
				: List.of();
	}

	private Cause outside(@Nullable String namespace) {
		if (namespace != null && this.informer.omittedNamespaces().contains(namespace)) {
			return new Cause(Reason.OUTSIDE_NAMESPACES,
					"Informer '" + name() + "' does not watch the namespace " + namespace
							+ ", although it matches its namespace-selector: max-selected-namespaces is "
							+ this.informer.options().maxSelectedNamespaces(),
					null);
		}
		String selector = this.informer.options().namespaceSelector();
		return new Cause(Reason.OUTSIDE_NAMESPACES, "Informer '" + name() + "' watches only the namespaces "
				+ ((selector != null) ? "that match " + selector : this.informer.options().namespaces()), null);
	}

	private Cause missing() {
		InformerOptions options = this.informer.options();
		List<String> selectors = new ArrayList<>();
		if (options.labelSelector() != null) {
			selectors.add("label selector " + options.labelSelector());
		}
		if (options.fieldSelector() != null) {
			selectors.add("field selector " + options.fieldSelector());
		}
		if (options.watchedSet() != null) {
			selectors.add(options.watchedSet().toString());
		}
		int queued = this.informer.queueDepth();
		String suffix = (queued > 0) ? ". " + queued + " changes are queued for the cache" : "";
		return selectors.isEmpty()
				? new Cause(Reason.NOT_IN_CACHE,
						"The object is not in the cache of informer '" + name()
								+ "': it does not exist, unless the cache is stale" + suffix,
						null)
				: new Cause(Reason.OUTSIDE_SELECTOR,
						"The object is not in the cache of informer '" + name() + "': it does not match the "
								+ String.join(" and the ", selectors) + ", or does not exist" + suffix,
						null);
	}

}
