package dev.informer.processor;

import java.util.ArrayDeque;
import java.util.Deque;

import dev.informer.ResourceEvent;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Keeps every event, see {@link dev.informer.QueuePolicy#KEEP_ALL}.
 *
 * @param <T> the type of the objects
 */
final class KeepAllQueue<T extends KubernetesObject> implements HandlerQueue<T> {

	private final Deque<ResourceEvent<T>> events = new ArrayDeque<>();

	private int initialSize;

	@Override
	public void offer(String key, ResourceEvent<T> event) {
		this.events.add(event);
		this.initialSize += isInitial(event) ? 1 : 0;
	}

	@Override
	public @Nullable ResourceEvent<T> poll() {
		ResourceEvent<T> event = this.events.poll();
		if (event != null) {
			this.initialSize -= isInitial(event) ? 1 : 0;
		}
		return event;
	}

	@Override
	public int size() {
		return this.events.size();
	}

	@Override
	public int initialSize() {
		return this.initialSize;
	}

	@Override
	public void clear() {
		this.events.clear();
		this.initialSize = 0;
	}

	static boolean isInitial(ResourceEvent<?> event) {
		return event instanceof ResourceEvent.Added<?> added && added.initialList();
	}

}
