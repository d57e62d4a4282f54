/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.official;

import java.util.List;

import dev.informer.SharedIndexInformer;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.informer.cache.Lister;

/**
 * Views of informers as the informers of the official client. Code that is written
 * against {@code io.kubernetes.client.informer}, such as its {@code ControllerBuilder} or
 * the discovery client of Spring Cloud Kubernetes, then reads the same cache and shares
 * the same list and watch.
 * <p>
 * A view delegates to its informer, which may have several views:
 * <ul>
 * <li>An event handler is a handler of the informer, with its default options:
 * {@link dev.informer.QueuePolicy#COALESCE}, and retries if it throws. An object that was
 * recreated is delivered as deleted, then as added. The handler never receives a
 * tombstone: the object of a deletion is the last known state, and the flag says whether
 * the deletion was missed.</li>
 * <li>Indexers can be added at any time, also while the informer runs.</li>
 * <li>A transform is set before the start and only once. It never receives a
 * tombstone.</li>
 * <li>Reads before the first sync throw {@link dev.informer.NotSyncedException}, unless
 * {@link dev.informer.InformerOptions.Builder#allowUnsyncedReads(boolean)} is set.</li>
 * <li>Reads of a namespace that the informer does not watch throw
 * {@link dev.informer.NamespaceNotWatchedException}.</li>
 * <li>The cache follows the API server only: {@code add}, {@code update}, {@code delete}
 * and {@code replace} of the indexer throw {@link UnsupportedOperationException}.</li>
 * <li>{@code run()} starts the informer. {@code stop()} stops it if {@code run()} of the
 * same view has started it; an informer that was started by its factory or by the
 * application is not stopped. Both can be repeated.</li>
 * </ul>
 * <p>
 * Thread-safe, and so are the views.
 */
public final class OfficialInformers {

	private OfficialInformers() {
	}

	/**
	 * Return a view of an informer.
	 * @param <T> the type of the objects
	 * @param informer the informer
	 * @return the view, which also provides the indexer
	 */
	public static <T extends KubernetesObject> io.kubernetes.client.informer.SharedIndexInformer<T> informer(
			SharedIndexInformer<T> informer) {
		return new OfficialInformer<>(informer);
	}

	/**
	 * Return a lister of the cache of an informer.
	 * @param <T> the type of the objects
	 * @param informer the informer
	 * @return the lister of the objects of all namespaces of the informer
	 */
	public static <T extends KubernetesObject> Lister<T> lister(SharedIndexInformer<T> informer) {
		return new Lister<>(new OfficialIndexer<>(informer));
	}

	/**
	 * Return a factory of the official client that has the given informers, one per
	 * class. It acts as one that reuses its informers: a request for an informer of a
	 * class returns the view of the informer of that class. The API call, the namespace,
	 * the resync period and the exception handler of the request are ignored. The factory
	 * creates no informer, because a second list and watch would be the result: a request
	 * for another class throws {@link IllegalStateException}.
	 * <p>
	 * {@code startAllRegisteredInformers()} starts those informers that are not running,
	 * and {@code stopAllRegisteredInformers()} stops only those again.
	 * @param informers the informers
	 * @return the factory
	 * @throws IllegalArgumentException if two informers have the same class of objects
	 */
	public static SharedInformerFactory factory(SharedIndexInformer<?>... informers) {
		return new OfficialInformerFactory(List.of(informers));
	}

}
