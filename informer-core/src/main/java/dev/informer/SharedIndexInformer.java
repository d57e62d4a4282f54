/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * A live, indexed, local copy of the objects of one Kubernetes resource, and the handlers
 * that are told when it changes. Made by an {@link InformerFactory}.
 * <p>
 * Thread-safe.
 *
 * @param <T> the type of the objects
 */
public interface SharedIndexInformer<T extends KubernetesObject> extends AutoCloseable {

	/**
	 * The name of the informer.
	 * @return the name
	 */
	String name();

	/**
	 * The resource.
	 * @return the resource
	 */
	ResourceType<T> resourceType();

	/**
	 * What the informer looks at and how.
	 * @return the options
	 */
	InformerOptions options();

	/**
	 * Reads the local copy.
	 * @return the lister, always the same one
	 */
	Lister<T> lister();

	/**
	 * Sets what changes each object before it is stored.
	 * @param transform the transform
	 * @throws IllegalStateException when the informer was started already, or has a
	 * transform
	 */
	void setTransform(ObjectTransform<T> transform);

	/**
	 * Adds an index with at most one value per object. May be called at any time; the
	 * objects that are there already are indexed before this returns.
	 * @param name the name of the index
	 * @param function gives the value of an object, {@code null} when it is not in this
	 * index
	 * @throws IllegalArgumentException when there is an index of this name, or it is the
	 * name of a built-in one
	 */
	void addIndex(String name, Function<T, @Nullable String> function);

	/**
	 * Adds an index with any number of values per object.
	 * @param name the name of the index
	 * @param function gives the values of an object
	 * @throws IllegalArgumentException when there is an index of this name
	 * @see #addIndex(String, Function)
	 */
	void addMultiValueIndex(String name, IndexFunction<T> function);

	/**
	 * Switches a built-in index on: {@link Lister#OWNER_INDEX} or
	 * {@link Lister#LABEL_INDEX}. Does nothing when it is on already. May be called at
	 * any time.
	 * @param name the name of the index
	 * @throws IllegalArgumentException when there is no such index
	 */
	void enableIndex(String name);

	/**
	 * Adds a handler with the default options.
	 * @param handler the handler
	 * @return its registration
	 * @see #addHandler(ResourceEventHandler, Consumer)
	 */
	default HandlerRegistration addHandler(ResourceEventHandler<T> handler) {
		return addHandler(handler, (options) -> {
		});
	}

	/**
	 * Adds a handler. May be called at any time: what is there already is told as added,
	 * then everything that happens after it, nothing twice and nothing missed.
	 * @param handler the handler
	 * @param options sets its options
	 * @return its registration
	 * @throws IllegalArgumentException when there is a handler of this name
	 * @throws IllegalStateException when the informer is closed
	 */
	HandlerRegistration addHandler(ResourceEventHandler<T> handler, Consumer<HandlerOptions.Builder<T>> options);

	/**
	 * The handlers.
	 * @return the registrations in the order in which they were added
	 */
	List<HandlerRegistration> handlers();

	/**
	 * Starts to follow the server. Returns at once. Does nothing when started already.
	 * After a {@link #stop(Duration)} it lists again and handlers are told the
	 * differences only.
	 * @throws IllegalStateException when the informer is closed
	 */
	void start();

	/**
	 * Lists the state of the server anew and compares the objects themselves. Otherwise
	 * an object whose UID and resource version have not changed is taken to be the same;
	 * a new default in a custom resource definition, a conversion or an upgrade of the
	 * server can change its content all the same. Returns at once. When stopped, the list
	 * of the next start does so.
	 */
	void relist();

	/**
	 * Tells every handler every object of the local copy again, as an update whose two
	 * objects are the same, whether it asks for resyncs or not. Never talks to the
	 * server. Returns at once. Does nothing before the first sync of a run, and when not
	 * started.
	 */
	void resync();

	/**
	 * Stops following the server and, once what is queued has been told, calling the
	 * handlers. Keeps the local copy and the handlers. Does nothing when not started.
	 * @param drain how long handlers may go on with what is queued; then they are
	 * interrupted, and what is still queued is told after the next start
	 */
	void stop(Duration drain);

	/**
	 * Stops without waiting for what is queued, and for good.
	 */
	@Override
	void close();

	/**
	 * Whether the local copy was complete at least once. Stays so from then on.
	 * @return whether the informer has synced
	 */
	boolean hasSynced();

	/**
	 * Waits until {@link #hasSynced()}.
	 * @param timeout how long to wait at most
	 * @return whether the informer has synced
	 * @throws InformerFailedException when it has given up for good
	 * @throws InterruptedException when the waiting thread is interrupted
	 */
	boolean awaitSynced(Duration timeout) throws InterruptedException;

	/**
	 * Waits until the local copy is at least as new as a write, so that it shows it, and
	 * what handlers are to be told of it waits for them at least: the resource version is
	 * that of the object that the server answered the write with. The copy learns of a
	 * version by the next event, or by a bookmark, which most servers send once a minute.
	 * @param resourceVersion the version to wait for. With several namespaces all of them
	 * have to reach it, and those without an event of their own do so by a bookmark
	 * @param timeout how long to wait at most
	 * @return whether the version was reached
	 * @throws IllegalArgumentException when the version is no canonical decimal number:
	 * then it has no order, and nobody can say when it is reached
	 * @throws IllegalStateException when the versions of the local copy have no order
	 * @throws InformerFailedException when the informer has given up for good
	 * @throws InterruptedException when the waiting thread is interrupted
	 */
	boolean awaitAtLeast(String resourceVersion, Duration timeout) throws InterruptedException;

	/**
	 * The resource version up to which the local copy is complete. With several
	 * namespaces the lowest of theirs.
	 * @return the version; empty before the first sync
	 */
	String lastSyncResourceVersion();

	/**
	 * What the informer is doing: of several namespaces the one that is worst off.
	 * @return the state
	 */
	InformerState state();

	/**
	 * What the informer is doing for each of its namespaces.
	 * @return the states by namespace; by the empty string when it looks at all of them
	 */
	Map<String, InformerState> statesByNamespace();

	/**
	 * When the server was last heard, be it by a bookmark.
	 * @return the time; empty before the first answer. With several namespaces the
	 * earliest of theirs
	 */
	Optional<Instant> lastActivity();

	/**
	 * How many changes wait to be applied to the local copy.
	 * @return the depth of the queue
	 */
	int queueDepth();

}
