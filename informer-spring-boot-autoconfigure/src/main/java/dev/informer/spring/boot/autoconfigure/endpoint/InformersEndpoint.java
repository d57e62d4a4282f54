/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.endpoint;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.informer.HandlerRegistration;
import dev.informer.InformerState;
import dev.informer.InformerState.Phase;
import dev.informer.QueuePolicy;
import dev.informer.SharedIndexInformer;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.boot.autoconfigure.endpoint.HandlerHistory.LastError;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * {@link Endpoint @Endpoint} that tells what informers and handlers do, and makes them do
 * it again. Has nothing of the objects themselves in it.
 */
@Endpoint(id = "informers")
public class InformersEndpoint {

	private final InformerRegistry registry;

	private final HandlerHistory history;

	InformersEndpoint(InformerRegistry registry, HandlerHistory history) {
		this.registry = registry;
		this.history = history;
	}

	/**
	 * All informers.
	 * @return the informers by name
	 */
	@ReadOperation
	public InformersDescriptor informers() {
		Map<String, InformerDescriptor> informers = new LinkedHashMap<>();
		this.registry.informers().forEach((informer) -> informers.put(informer.name(), describe(informer)));
		return new InformersDescriptor(informers);
	}

	/**
	 * One informer.
	 * @param name its name
	 * @return the informer; {@code null} when there is none
	 */
	@ReadOperation
	public @Nullable InformerDescriptor informer(@Selector String name) {
		return this.registry.findInformer(name).map(this::describe).orElse(null);
	}

	/**
	 * Makes an informer do something.
	 * @param name its name
	 * @param action {@code relist}: list the state of the server anew and compare the
	 * objects themselves; {@code resync}: tell every handler every object again. Both go
	 * on after this has returned
	 * @return the informer
	 * @throws InvalidEndpointRequestException when the action is another one, or there is
	 * no such informer
	 */
	@WriteOperation
	public InformerDescriptor change(@Selector String name, String action) {
		SharedIndexInformer<?> informer = this.registry.findInformer(name)
			.orElseThrow(() -> new InvalidEndpointRequestException("Unknown informer '" + name + "'",
					"There is no informer '" + name + "'"));
		switch (action) {
			case "relist" -> informer.relist();
			case "resync" -> informer.resync();
			default -> throw new InvalidEndpointRequestException("Unknown action '" + action + "'",
					"The action is 'relist' or 'resync', not '" + action + "'");
		}
		return describe(informer);
	}

	private InformerDescriptor describe(SharedIndexInformer<?> informer) {
		Map<String, StateDescriptor> namespaces = new LinkedHashMap<>();
		if (!informer.options().namespaces().isEmpty()) {
			informer.statesByNamespace()
				.forEach((namespace, state) -> namespaces.put(namespace, StateDescriptor.of(state)));
		}
		List<HandlerDescriptor> handlers = informer.handlers()
			.stream()
			.map((handler) -> describe(informer, handler))
			.toList();
		boolean readable = informer.hasSynced() || informer.options().allowUnsyncedReads();
		return new InformerDescriptor(informer.resourceType().toString(), this.registry.isRequired(informer),
				informer.options().labelSelector(), informer.options().fieldSelector(), informer.hasSynced(),
				StateDescriptor.of(informer.state()), namespaces, informer.lastActivity().orElse(null),
				informer.lastSyncResourceVersion(), readable ? informer.lister().size() : null, informer.queueDepth(),
				handlers);
	}

	private HandlerDescriptor describe(SharedIndexInformer<?> informer, HandlerRegistration handler) {
		HandlerHistory.Calls calls = this.history.of(informer, handler.name());
		return new HandlerDescriptor(handler.name(), handler.queue(), handler.hasSynced(), handler.isPaused(),
				handler.pending(), calls.retries(), calls.lastError());
	}

	/**
	 * Describes all informers.
	 *
	 * @param informers the informers by name
	 */
	public record InformersDescriptor(Map<String, InformerDescriptor> informers) implements OperationResponseBody {
	}

	/**
	 * Describes an informer.
	 *
	 * @param resource its resource
	 * @param required whether the start of the application waits for it
	 * @param labelSelector its label selector
	 * @param fieldSelector its field selector
	 * @param synced whether its local copy was complete at least once
	 * @param state what it is doing, of several namespaces the one that is worst off
	 * @param namespaces what it is doing for each of its namespaces; empty when it looks
	 * at all of them
	 * @param lastActivity when the server was last heard
	 * @param resourceVersion up to which the local copy is complete
	 * @param storeSize how many objects the local copy has; {@code null} when it cannot
	 * be read yet
	 * @param queueDepth how many changes wait to be applied to it
	 * @param handlers its handlers
	 */
	public record InformerDescriptor(String resource, boolean required, @Nullable String labelSelector,
			@Nullable String fieldSelector, boolean synced, StateDescriptor state,
			Map<String, StateDescriptor> namespaces, @Nullable Instant lastActivity, String resourceVersion,
			@Nullable Integer storeSize, int queueDepth,
			List<HandlerDescriptor> handlers) implements OperationResponseBody {
	}

	/**
	 * Describes what an informer is doing.
	 *
	 * @param phase what it is doing
	 * @param since when it began to
	 * @param reason why the last attempt failed
	 * @param failingSince when the first of the failures in a row happened
	 * @param nextAttempt when it is tried again
	 */
	public record StateDescriptor(Phase phase, Instant since, @Nullable String reason, @Nullable Instant failingSince,
			@Nullable Instant nextAttempt) {

		static StateDescriptor of(InformerState state) {
			return new StateDescriptor(state.phase(), state.since(),
					(state.failure() != null) ? state.failure().message() : null, state.failingSince(),
					state.nextAttempt());
		}

	}

	/**
	 * Describes a handler.
	 *
	 * @param name its name
	 * @param queue what is kept for it while it is busy
	 * @param synced whether it was told the initial state
	 * @param paused whether it is paused
	 * @param pending how much waits for it
	 * @param retries how many calls were repeated
	 * @param lastError what the last call that failed has thrown
	 */
	public record HandlerDescriptor(String name, QueuePolicy queue, boolean synced, boolean paused, int pending,
			long retries, @Nullable LastError lastError) {
	}

}
