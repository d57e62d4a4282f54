package dev.informer.spring.autoconfigure.metrics;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

import dev.informer.InformerFailure;
import dev.informer.InformerListener;
import dev.informer.InformerState;
import dev.informer.ResourceEvent;
import dev.informer.SharedIndexInformer;
import dev.informer.spring.registry.InformerRegistry;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Measures informers. Meters follow the informers and handlers that there are: they are
 * looked at whenever something changes, at most once in a second.
 */
class InformerMetrics implements InformerListener {

	private static final long UPDATE_NANOS = Duration.ofSeconds(1).toNanos();

	private final MeterRegistry meterRegistry;

	private final InformerRegistry informerRegistry;

	private final ConcurrentMap<SharedIndexInformer<?>, InformerMeters> meters = new ConcurrentHashMap<>();

	private final AtomicLong nextUpdate = new AtomicLong(System.nanoTime());

	InformerMetrics(MeterRegistry meterRegistry, InformerRegistry informerRegistry) {
		this.meterRegistry = meterRegistry;
		this.informerRegistry = informerRegistry;
	}

	@Override
	public void stateChanged(SharedIndexInformer<?> informer, String namespace, InformerState state) {
		update();
	}

	@Override
	public void listed(SharedIndexInformer<?> informer, String namespace, ListMode mode, Duration time,
			boolean success) {
		meters(informer).listed(namespace(namespace), mode, time, success);
	}

	@Override
	public void watchEnded(SharedIndexInformer<?> informer, String namespace, WatchEnd reason) {
		meters(informer).count("watches", "Watches that have ended", namespace(namespace), "reason", reason);
	}

	@Override
	public void relisting(SharedIndexInformer<?> informer, String namespace, RelistReason reason) {
		meters(informer).count("relists", "Times that the state was listed again", namespace(namespace), "reason",
				reason);
	}

	@Override
	public void failed(SharedIndexInformer<?> informer, @Nullable String namespace, InformerFailure failure) {
		meters(informer).count("errors", "Things that went wrong", namespace(namespace), "kind", failure.kind());
	}

	@Override
	public void synced(SharedIndexInformer<?> informer, Duration time) {
		meters(informer).synced(time);
		update();
	}

	@Override
	public void changed(SharedIndexInformer<?> informer, ResourceEvent.Type type) {
		meters(informer).changed(type);
		updateNowAndThen();
	}

	@Override
	public void handled(SharedIndexInformer<?> informer, String handler, ResourceEvent.Type type, Duration time,
			int attempt, @Nullable Throwable failure) {
		meters(informer).handled(handler, type, time, attempt, failure == null);
		updateNowAndThen();
	}

	private InformerMeters meters(SharedIndexInformer<?> informer) {
		return this.meters.computeIfAbsent(informer, (key) -> new InformerMeters(this.meterRegistry, key));
	}

	private void updateNowAndThen() {
		long due = this.nextUpdate.get();
		long now = System.nanoTime();
		if (now - due >= 0 && this.nextUpdate.compareAndSet(due, now + UPDATE_NANOS)) {
			update();
		}
	}

	private void update() {
		Set<SharedIndexInformer<?>> informers = new HashSet<>(this.informerRegistry.informers());
		informers.forEach((informer) -> meters(informer).updateHandlers());
		this.meters.entrySet().removeIf((entry) -> {
			boolean gone = !informers.contains(entry.getKey());
			if (gone) {
				entry.getValue().remove();
			}
			return gone;
		});
	}

	private static String namespace(@Nullable String namespace) {
		return (namespace == null || namespace.isEmpty()) ? "*" : namespace;
	}

}
