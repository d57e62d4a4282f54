/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.io.IOException;
import java.util.List;
import java.util.function.Function;

import dev.informer.ResourceType;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Lists and watches a resource that is known by name: asks the server what it is before
 * the first request, and again once the server has answered that it does not serve it, be
 * it that its preferred version is another one since. Thread-safe.
 *
 * @param <T> the type of the objects
 */
public final class DiscoveringListerWatcher<T extends KubernetesObject> implements ListerWatcher<T> {

	private static final int INVALID = 400;

	private static final int NOT_FOUND = 404;

	private final ResourceDiscovery discovery;

	private final ResourceType<T> named;

	private final @Nullable String namespace;

	private final Function<ResourceType<T>, ListerWatcher<T>> sources;

	private volatile @Nullable ListerWatcher<T> found;

	/**
	 * Creates a source.
	 * @param discovery asks what the resource is
	 * @param named the resource as far as it is known
	 * @param namespace the namespace; {@code null} for all of them
	 * @param sources gives what lists and watches the resource that was found
	 */
	public DiscoveringListerWatcher(ResourceDiscovery discovery, ResourceType<T> named, @Nullable String namespace,
			Function<ResourceType<T>, ListerWatcher<T>> sources) {
		this.discovery = discovery;
		this.named = named;
		this.namespace = namespace;
		this.sources = sources;
	}

	@Override
	public ListPage list(ListRequest request, ListSink<T> sink, Cancellation scope) throws IOException {
		return ask(scope, (source) -> source.list(request, sink, scope));
	}

	@Override
	public WatchStream<T> watch(WatchRequest request, Cancellation scope) throws IOException {
		return ask(scope, (source) -> source.watch(request, scope));
	}

	private <R> R ask(Cancellation scope, Question<T, R> question) throws IOException {
		ListerWatcher<T> source = this.found;
		if (source == null) {
			source = find(scope);
			this.found = source;
		}
		try {
			return question.ask(source);
		}
		catch (ServerStatusException ex) {
			if (ex.status().code() == NOT_FOUND) {
				this.found = null;
			}
			throw ex;
		}
	}

	private ListerWatcher<T> find(Cancellation scope) throws IOException {
		ResourceType<T> resourceType = this.discovery.complete(this.named, scope);
		if (this.namespace != null && !resourceType.namespaced()) {
			throw new ServerStatusException(new ServerStatus(INVALID, "",
					resourceType + " is cluster-scoped: it must be asked for without namespaces", List.of(), null));
		}
		return this.sources.apply(resourceType);
	}

	@FunctionalInterface
	private interface Question<T extends KubernetesObject, R> {

		R ask(ListerWatcher<T> source) throws IOException;

	}

}
