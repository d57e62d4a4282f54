package dev.informer.processor;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Added;
import dev.informer.ResourceEvent.Deleted;
import dev.informer.ResourceEvent.Updated;
import dev.informer.source.ObjectKey;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Keeps for each object what the handler was told last and what is true now, see
 * {@link dev.informer.QueuePolicy#COALESCE}. What it was told has to be kept only while
 * something is pending for the object: for the rest it is the previous object of the next
 * event.
 *
 * @param <T> the type of the objects
 */
final class CoalescingQueue<T extends KubernetesObject> implements HandlerQueue<T> {

	private final Map<String, Pending<T>> pendingByKey = new LinkedHashMap<>();

	private int initialSize;

	@Override
	public void offer(String key, ResourceEvent<T> event) {
		Pending<T> pending = this.pendingByKey.get(key);
		if (pending == null) {
			pending = new Pending<>(event.previous());
			this.pendingByKey.put(key, pending);
		}
		this.initialSize -= pending.isInitial() ? 1 : 0;
		pending.take(event);
		this.initialSize += pending.isInitial() ? 1 : 0;
		if (pending.next() == null) {
			this.pendingByKey.remove(key);
		}
	}

	@Override
	public @Nullable ResourceEvent<T> poll() {
		Iterator<Pending<T>> oldest = this.pendingByKey.values().iterator();
		if (!oldest.hasNext()) {
			return null;
		}
		Pending<T> pending = oldest.next();
		ResourceEvent<T> event = pending.next();
		this.initialSize -= pending.isInitial() ? 1 : 0;
		if (event == null || !pending.told(event)) {
			oldest.remove();
		}
		return event;
	}

	@Override
	public int size() {
		return this.pendingByKey.size();
	}

	@Override
	public int initialSize() {
		return this.initialSize;
	}

	@Override
	public void clear() {
		this.pendingByKey.clear();
		this.initialSize = 0;
	}

	/**
	 * One object for which there is something to tell.
	 */
	private static final class Pending<T extends KubernetesObject> {

		/**
		 * What the handler was told last; nothing when it does not know of the object.
		 */
		private @Nullable T told;

		/** What there is now; nothing when the object is gone. */
		private @Nullable T now;

		/** The last deletion of the object that the handler was told of. */
		private @Nullable Deleted<T> deletion;

		private boolean initialList;

		private boolean resync;

		Pending(@Nullable T told) {
			this.told = told;
			this.now = told;
		}

		void take(ResourceEvent<T> event) {
			if (event instanceof Deleted<T> deleted) {
				if (this.told != null && ObjectKey.sameObject(this.told, deleted.object())) {
					this.deletion = deleted;
				}
				this.now = null;
				this.initialList = false;
				return;
			}
			if (event instanceof Added<T> added) {
				this.initialList = this.told == null && added.initialList();
			}
			this.resync = event.resync();
			this.now = event.object();
		}

		boolean isInitial() {
			return this.initialList;
		}

		/**
		 * What the handler is to be told next.
		 */
		@Nullable ResourceEvent<T> next() {
			T last = this.told;
			T current = this.now;
			if (last == null) {
				return (current != null) ? new Added<>(current, this.initialList) : null;
			}
			if (current == null || !ObjectKey.sameObject(last, current)) {
				Deleted<T> seen = this.deletion;
				return (seen != null) ? new Deleted<>(seen.object(), last, seen.finalStateUnknown())
						: new Deleted<>(last, last, true);
			}
			return (current != last || this.resync) ? new Updated<>(last, current) : null;
		}

		/**
		 * Notes what the handler was told.
		 * @return whether there is more to tell it
		 */
		boolean told(ResourceEvent<T> event) {
			this.told = (event instanceof Deleted<T>) ? null : event.object();
			this.deletion = null;
			this.initialList = false;
			this.resync = false;
			return next() != null;
		}

	}

}
