package dev.informer.controller;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.informer.queue.Batch;
import dev.informer.queue.Delta;
import dev.informer.queue.DeltaFifo;
import dev.informer.queue.DeltaType;
import dev.informer.reflector.ReflectorSink;
import dev.informer.source.ObjectKey;
import dev.informer.source.UndecodableObject;
import dev.informer.source.WatchEvent.ChangeType;
import io.kubernetes.client.common.KubernetesObject;

/**
 * Queues what the reflector of one namespace brings.
 *
 * @param <T> the type of the objects
 */
final class FifoSink<T extends KubernetesObject> implements ReflectorSink<T> {

	private final String scope;

	private volatile DeltaFifo<T> fifo;

	FifoSink(String scope, DeltaFifo<T> fifo) {
		this.scope = scope;
		this.fifo = fifo;
	}

	/**
	 * Queues into another queue from now on, after a restart.
	 */
	void redirect(DeltaFifo<T> fifo) {
		this.fifo = fifo;
	}

	@Override
	public void replace(List<T> objects, List<UndecodableObject> undecodable, String resourceVersion,
			boolean sameHistory) {
		Map<String, T> byKey = new LinkedHashMap<>(objects.size() * 4 / 3 + 1);
		objects.forEach((object) -> byKey.put(ObjectKey.of(object), object));
		Set<String> retained = new HashSet<>();
		boolean complete = true;
		for (UndecodableObject object : undecodable) {
			if (object.name() != null) {
				retained.add(ObjectKey.of(object.namespace(), object.name()));
			}
			else {
				complete = false;
			}
		}
		this.fifo.replace(new Batch.Replacement<>(this.scope, byKey, retained, complete, resourceVersion, sameHistory));
	}

	@Override
	public void change(ChangeType type, T object, String resourceVersion) {
		DeltaType deltaType = switch (type) {
			case ADDED -> DeltaType.ADDED;
			case MODIFIED -> DeltaType.UPDATED;
			case DELETED -> DeltaType.DELETED;
		};
		this.fifo.add(this.scope, ObjectKey.of(object), new Delta<>(deltaType, object), resourceVersion);
	}

	@Override
	public void undecodableChange(ChangeType type, UndecodableObject object, String resourceVersion) {
		if (type == ChangeType.DELETED && object.name() != null) {
			String key = ObjectKey.of(object.namespace(), object.name());
			this.fifo.add(this.scope, key, new Delta<>(DeltaType.DELETED, null), resourceVersion);
		}
		else {
			this.fifo.progress(this.scope, resourceVersion);
		}
	}

	@Override
	public void progress(String resourceVersion) {
		this.fifo.progress(this.scope, resourceVersion);
	}

}
