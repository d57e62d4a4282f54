package dev.informer.processor;

import dev.informer.ResourceEvent;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * What a handler has yet to be told. Not thread-safe, the {@link HandlerWorker} guards
 * it.
 *
 * @param <T> the type of the objects
 */
interface HandlerQueue<T extends KubernetesObject> {

	/**
	 * Takes an event, in the order of the changes of the store.
	 * @param key the key of its object
	 * @param event the event
	 */
	void offer(String key, ResourceEvent<T> event);

	/**
	 * Gives the next event that the handler is to be told.
	 * @return the event; {@code null} when there is nothing to tell
	 */
	@Nullable ResourceEvent<T> poll();

	/**
	 * How much waits.
	 * @return the number of events or of objects
	 */
	int size();

	/**
	 * How many of those are objects that were there when the handler began to listen.
	 * @return the number of pending adds of the initial list
	 */
	int initialSize();

	/**
	 * Forgets everything.
	 */
	void clear();

}
