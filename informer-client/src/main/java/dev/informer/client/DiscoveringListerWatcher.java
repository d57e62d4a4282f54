/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import dev.informer.client.ResourceDiscovery.WrongScopeException;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Lister and watcher of a resource that is known by name only. Discovers the resource
 * before the first request and after each 404, since the preferred version may have
 * changed, and once the objects have the other scope. Thread-safe.
 *
 * @param <T> the type of the objects
 */
public final class DiscoveringListerWatcher<T extends KubernetesObject> implements ListerWatcher<T> {

	private static final int BAD_REQUEST = 400;

	private static final int NOT_FOUND = 404;

	private final ResourceDiscovery discovery;

	private final ResourceType<T> named;

	private final @Nullable String namespace;

	private final Function<ResourceType<T>, ListerWatcher<T>> factory;

	private volatile @Nullable ListerWatcher<T> delegate;

	/**
	 * Create a lister and watcher of one resource.
	 * @param discovery the discovery
	 * @param named the resource as it was {@linkplain ResourceType#named named}
	 * @param namespace the namespace; {@code null} for all of them
	 * @param factory the factory of the lister and watcher of the discovered resource
	 */
	public DiscoveringListerWatcher(ResourceDiscovery discovery, ResourceType<T> named, @Nullable String namespace,
			Function<ResourceType<T>, ListerWatcher<T>> factory) {
		this.discovery = discovery;
		this.named = named;
		this.namespace = namespace;
		this.factory = factory;
	}

	@Override
	public ListPage list(ListRequest request, ListSink<T> sink, Cancellation cancellation) throws IOException {
		return send(cancellation, (delegate) -> delegate.list(request, sink, cancellation));
	}

	@Override
	public WatchStream<T> watch(WatchRequest request, ObjectLookup<T> known, Cancellation cancellation)
			throws IOException {
		return send(cancellation, (delegate) -> delegate.watch(request, known, cancellation));
	}

	@Override
	public Optional<String> encoding() {
		ListerWatcher<T> current = this.delegate;
		return (current != null) ? current.encoding() : Optional.empty();
	}

	private <R> R send(Cancellation cancellation, Request<T, R> request) throws IOException {
		ListerWatcher<T> current = this.delegate;
		if (current == null) {
			current = discover(cancellation);
			this.delegate = current;
		}
		try {
			return request.send(current);
		}
		catch (ServerStatusException ex) {
			if (ex.status().code() == NOT_FOUND) {
				this.delegate = null;
			}
			throw ex;
		}
		catch (WrongScopeException ex) {
			this.delegate = null;
			throw ex;
		}
	}

	private ListerWatcher<T> discover(Cancellation cancellation) throws IOException {
		ResourceType<T> resourceType = this.discovery.complete(this.named, cancellation);
		if (this.namespace != null && !resourceType.namespaced()) {
			throw new ServerStatusException(new ServerStatus(BAD_REQUEST, "BadRequest",
					"Cannot select namespaces of " + resourceType + ": it is cluster-scoped. Remove the namespaces.",
					List.of(), null));
		}
		return this.factory.apply(resourceType);
	}

	@FunctionalInterface
	private interface Request<T extends KubernetesObject, R> {

		R send(ListerWatcher<T> delegate) throws IOException;

	}

}
