/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

import dev.informer.client.Moment;
import dev.informer.client.PartialObjectMetadata;
import dev.informer.client.ResourceType;
import dev.informer.support.Arguments;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Live, indexed cache of the objects of one Kubernetes resource, shared by all handlers
 * and readers. Created by an {@link InformerFactory}.
 * <p>
 * Thread-safe.
 *
 * @param <T> the type of the objects
 */
public interface SharedIndexInformer<T extends KubernetesObject> extends AutoCloseable {

	/**
	 * Return the name of the informer.
	 * @return the name
	 */
	String name();

	/**
	 * Return the resource.
	 * @return the resource
	 */
	ResourceType<T> resourceType();

	/**
	 * Return the options.
	 * @return the options
	 */
	InformerOptions options();

	/**
	 * Return the lister that reads the cache.
	 * @return the lister, always the same instance
	 */
	Lister<T> lister();

	/**
	 * Set the transform that is applied to each object before it is stored.
	 * @param transform the transform
	 * @throws IllegalStateException if the informer was started, or already has a
	 * transform
	 */
	void setTransform(ObjectTransform<T> transform);

	/**
	 * Add an index with at most one value per object. May be called at any time; cached
	 * objects are indexed before this method returns.
	 * @param name the name of the index
	 * @param function the function that computes the value of an object, or {@code null}
	 * to leave the object out of the index
	 * @throws IllegalArgumentException if an index of this name exists, or the name is
	 * that of a built-in index
	 */
	default void addIndex(String name, Function<T, @Nullable String> function) {
		Arguments.require("add an index", "function", function);
		addMultiValueIndex(name, (object) -> {
			String value = function.apply(object);
			return (value != null) ? List.of(value) : List.of();
		});
	}

	/**
	 * Add an index with any number of values per object.
	 * @param name the name of the index
	 * @param function the function that computes the values of an object
	 * @throws IllegalArgumentException if an index of this name exists
	 * @see #addIndex(String, Function)
	 */
	void addMultiValueIndex(String name, IndexFunction<T> function);

	/**
	 * Enable a built-in index: {@link Lister#OWNER_INDEX} or {@link Lister#LABEL_INDEX}.
	 * Does nothing if it is already enabled. May be called at any time.
	 * @param name the name of the index
	 * @throws IllegalArgumentException if there is no built-in index of this name
	 */
	void enableIndex(String name);

	/**
	 * Return the indices: {@link Lister#NAMESPACE_INDEX}, and those that were added or
	 * enabled.
	 * @return a snapshot of their functions, by the name of the index
	 */
	Map<String, IndexFunction<T>> indices();

	/**
	 * Add a handler with the default options.
	 * @param handler the handler
	 * @return the registration
	 * @see #addHandler(ResourceEventHandler, Consumer)
	 */
	default HandlerRegistration addHandler(ResourceEventHandler<T> handler) {
		return addHandler(handler, (options) -> {
		});
	}

	/**
	 * Add a handler. May be called at any time. The handler receives an added event for
	 * each cached object, followed by all later events, without gaps and duplicates.
	 * @param handler the handler
	 * @param options the callback that sets the options
	 * @return the registration
	 * @throws IllegalArgumentException if a handler of this name exists, or if
	 * {@link HandlerOptions#changes()} has a part that is not in the metadata and the
	 * objects have only their metadata
	 * @throws IllegalStateException if the informer is closed
	 */
	HandlerRegistration addHandler(ResourceEventHandler<T> handler, Consumer<HandlerOptions.Builder<T>> options);

	/**
	 * Return the handlers.
	 * @return the registrations, in the order in which they were added
	 */
	List<HandlerRegistration> handlers();

	/**
	 * Start to list and watch. Returns immediately. Does nothing, and reports nothing, if
	 * the informer is started: factory, application and views of the official client may
	 * each start it. After a {@link #stop(Duration)} the informer relists, and handlers
	 * receive only the differences. A start that throws, for example because there is no
	 * thread or no connection, has no effect and can be repeated.
	 * @throws IllegalStateException if the informer is closed
	 */
	void start();

	/**
	 * Request a relist that compares the content of objects. Other lists treat an object
	 * as unchanged if its UID and resource version match. A new default in a
	 * CustomResourceDefinition, a conversion or a server upgrade can change the content
	 * of an object without changing its version. Returns immediately. If the informer is
	 * stopped, the list of its next start compares the content. A request during a
	 * requested relist joins it.
	 */
	default void relist() {
		relist("the application");
	}

	/**
	 * Request a relist on behalf of a caller, which the log line of the relist names.
	 * @param requestedBy the caller, such as the name of a user
	 * @see #relist()
	 */
	void relist(String requestedBy);

	/**
	 * Deliver every cached object to every handler as an update, independent of the
	 * resync period of the handler. Both objects of the update are identical unless the
	 * changes of the handler have suppressed an earlier update. Does not contact the
	 * server. Returns immediately. Does nothing if the informer is stopped or has not
	 * synced since its start.
	 */
	void resync();

	/**
	 * Stop watching, deliver pending events, and then stop invoking handlers. The cache
	 * and the handlers are kept. Does nothing if the informer is stopped.
	 * @param drain the maximum time to deliver pending events. After that, handlers are
	 * interrupted, and the remaining events are delivered after the next start
	 */
	void stop(Duration drain);

	/**
	 * Stop without delivering pending events, and leave the factory. The informer cannot
	 * be started again and accepts no more handlers. Waiting threads are released, its
	 * name can be used for another informer, and handlers that are deferred until it has
	 * synced no longer wait for it.
	 */
	@Override
	void close();

	/**
	 * Return whether the cache has been complete at least once. Never changes back to
	 * {@code false}. With a namespace selector, it is complete when every namespace that
	 * matches was listed, except those in which permissions are missing (403), which join
	 * as soon as the permissions are granted, and {@link #omittedNamespaces()}.
	 * @return whether the informer has synced
	 */
	boolean hasSynced();

	/**
	 * Wait until {@link #hasSynced()}.
	 * @param timeout the maximum time to wait
	 * @return whether the informer has synced; {@code false} also if it was closed before
	 * @throws IllegalStateException if the informer was never started
	 * @throws InformerFailedException if the informer has failed permanently
	 * @throws InterruptedException if the waiting thread is interrupted
	 */
	boolean awaitSynced(Duration timeout) throws InterruptedException;

	/**
	 * Wait until the cache is at least as new as a write ("read your own writes"). The
	 * events up to that version are then queued for the handlers, but not necessarily
	 * delivered. The cache reaches a version by the next event, or by a bookmark, which
	 * most servers send once a minute. While the informer does not follow the server,
	 * from the end of a watch until the next one, it also waits for versions that were
	 * reached before: the server may have been restored since.
	 * @param resourceVersion the version to wait for: that of the object in the response
	 * to the write. With several namespaces, all of them have to reach it; those without
	 * an event reach it by a bookmark. With a namespace selector, these are the
	 * namespaces of {@link #statesByNamespace()}
	 * @param timeout the maximum time to wait
	 * @return whether the version has been reached
	 * @throws IllegalArgumentException if the version is not a canonical decimal number
	 * and therefore cannot be compared
	 * @throws IllegalStateException if the versions of the cache cannot be compared, or
	 * the informer was never started
	 * @throws InformerFailedException if the informer has failed permanently
	 * @throws InterruptedException if the waiting thread is interrupted
	 */
	boolean awaitAtLeast(String resourceVersion, Duration timeout) throws InterruptedException;

	/**
	 * Wait until the cache is at least as new as a written object. With several
	 * namespaces, only that of the object has to reach its version.
	 * @param written the object in the response to the write. If the informer does not
	 * select it, this method waits for a later event or a bookmark
	 * @param timeout the maximum time to wait
	 * @return whether the version has been reached
	 * @throws IllegalArgumentException if the object has no comparable version, or this
	 * informer never watches its namespace
	 * @throws InterruptedException if the waiting thread is interrupted
	 * @see #awaitAtLeast(String, Duration)
	 */
	boolean awaitAtLeast(T written, Duration timeout) throws InterruptedException;

	/**
	 * Wait until the cache is at least as new as a deletion: it is as new as the deleted
	 * object, and does not contain an object with its UID. A successor of the same name
	 * may be cached.
	 * @param deleted the object as it was read before
	 * @param timeout the maximum time to wait
	 * @return whether the object is gone, or this informer does not select it any more;
	 * {@code false} also if a finalizer keeps it
	 * @throws IllegalArgumentException if the object has no UID or no comparable version,
	 * or this informer never watches its namespace
	 * @throws InterruptedException if the waiting thread is interrupted
	 * @see #awaitAtLeast(String, Duration)
	 */
	boolean awaitDeleted(T deleted, Duration timeout) throws InterruptedException;

	/**
	 * Return the resource version of the cache, which is complete up to this version.
	 * With several namespaces, the lowest of their versions. A namespace that joins after
	 * the first sync counts once it was listed.
	 * @return the version; empty before the first sync, and without namespaces
	 */
	String lastSyncResourceVersion();

	/**
	 * Return the state. With several namespaces, the worst of their states, with the
	 * failure that has lasted longest. With a namespace selector, the state of the
	 * {@link #namespaceInformer()} is one of them, and {@link #omittedNamespaces()} are a
	 * failure.
	 * @return the state
	 */
	InformerState state();

	/**
	 * Return the states of the namespaces.
	 * @return the states by namespace; the key is empty if the informer watches all
	 * namespaces. With a namespace selector, the namespaces that the informer watches
	 * now, which may be none
	 */
	Map<String, InformerState> statesByNamespace();

	/**
	 * Return the informer of the namespaces that match the namespace selector. Informers
	 * of a factory with the same namespace selector share it. It starts with the first of
	 * them and is closed with the last one.
	 * @return the informer; empty without a namespace selector
	 * @see InformerOptions.Builder#namespaceSelector(String)
	 */
	default Optional<SharedIndexInformer<PartialObjectMetadata>> namespaceInformer() {
		return Optional.empty();
	}

	/**
	 * Return the namespaces that match the namespace selector and are not watched,
	 * because the maximum number of selected namespaces is reached. They are watched as
	 * soon as others leave. As long as there are some, the {@link #state()} has a failure
	 * that names their number.
	 * @return the names; empty without a namespace selector
	 * @see InformerOptions.Builder#maxSelectedNamespaces(int)
	 */
	default Set<String> omittedNamespaces() {
		return Set.of();
	}

	/**
	 * Return the moment of the last response, event or bookmark from the server.
	 * @return the moment; empty before the first response. With several namespaces, the
	 * earliest of their moments. With a namespace selector, that of its namespaces is
	 * included, and a namespace without a response is left out
	 */
	Optional<Moment> lastActivity();

	/**
	 * Return the number of changes that are queued for the cache.
	 * @return the depth of the queue
	 */
	int queueDepth();

	/**
	 * Return the encoding of the last response.
	 * @return {@code json} or {@code protobuf}; empty before the first response. With
	 * several namespaces, that of the first one with a response
	 */
	Optional<String> encoding();

}
