/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.util.function.Function;
import java.util.function.UnaryOperator;

import dev.informer.InformerListener;
import dev.informer.SharedIndexInformer;
import dev.informer.cache.Delta;
import dev.informer.cache.Indexer;
import dev.informer.client.ListerWatcher;
import dev.informer.client.TimeSource;
import io.kubernetes.client.common.KubernetesObject;

/**
 * Creates the reflectors of an informer, which share its cache and its log of outages.
 * Thread-safe.
 */
public final class ReflectorFactory<T extends KubernetesObject> {

	private final SharedIndexInformer<T> informer;

	private final Function<String, ListerWatcher<T>> sources;

	private final Indexer<T> cache;

	private final TimeSource time;

	private final ReflectorLog log;

	/**
	 * Create a factory. {@code sources} returns the {@link ListerWatcher} of a namespace.
	 */
	public ReflectorFactory(SharedIndexInformer<T> informer, Function<String, ListerWatcher<T>> sources,
			Indexer<T> cache, TimeSource time) {
		this.informer = informer;
		this.sources = sources;
		this.cache = cache;
		this.time = time;
		this.log = new ReflectorLog(informer, time);
	}

	/**
	 * Create the reflector of a namespace, which does nothing until it is run. Connects.
	 * @param namespace the namespace; empty for all namespaces
	 * @param transforming whether the sink modifies objects
	 * @param sink accepts the changes in the order of the server's, does not wait until
	 * one is applied, and returns them after their transform
	 * @param listener the listener to notify, which must not throw
	 */
	public Reflector<T> create(String namespace, boolean transforming, UnaryOperator<Delta<T>> sink,
			InformerListener listener) {
		ReflectorSettings settings = new ReflectorSettings(this.informer, namespace, transforming);
		ReflectorStatus status = new ReflectorStatus(settings, this.time, listener, this.cache.staleObjects(),
				this.log);
		return new Reflector<>(settings, this.sources.apply(namespace), this.cache, sink, status, this.time);
	}

}
