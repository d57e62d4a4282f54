package dev.informer.spring.registry;

import java.util.List;
import java.util.Optional;

import dev.informer.HandlerRegistration;
import dev.informer.InformerFailedException;
import dev.informer.SharedIndexInformer;
import io.kubernetes.client.common.KubernetesObject;

import org.springframework.context.SmartLifecycle;

/**
 * The informers and handlers of an application by name, and their lifecycle. Informers
 * are those of the {@link dev.informer.InformerFactory} of the application and those that
 * are beans of their own; what is made while the application runs is seen at once.
 * <p>
 * Starts before the web server and stops after it. Can be started again after it was
 * stopped: informers then list again and handlers are told the differences only.
 * <p>
 * Thread-safe.
 */
public interface InformerRegistry extends SmartLifecycle {

	/**
	 * The phase of the lifecycle: before the web server, after task executors.
	 */
	int PHASE = DEFAULT_PHASE - 4096;

	/**
	 * The informers.
	 * @return the informers, in the order in which they were made
	 */
	List<SharedIndexInformer<?>> informers();

	/**
	 * Finds an informer.
	 * @param name its name
	 * @return the informer, if there is one
	 */
	default Optional<SharedIndexInformer<?>> findInformer(String name) {
		return informers().stream().filter((informer) -> informer.name().equals(name)).findFirst();
	}

	/**
	 * Gets an informer.
	 * @param <T> the type of the objects
	 * @param name its name
	 * @param type the type of the objects
	 * @return the informer
	 * @throws IllegalArgumentException when there is none of this name, or it has objects
	 * of another type
	 */
	<T extends KubernetesObject> SharedIndexInformer<T> informer(String name, Class<T> type);

	/**
	 * Whether the start of the application waits for an informer and fails without it.
	 * @param informer the informer
	 * @return whether it is required
	 */
	boolean isRequired(SharedIndexInformer<?> informer);

	/**
	 * Whether all required informers have synced.
	 * @return whether none is missing
	 */
	default boolean hasSynced() {
		return informers().stream().filter(this::isRequired).allMatch(SharedIndexInformer::hasSynced);
	}

	/**
	 * The handlers that are methods of beans.
	 * @return their ids
	 */
	List<String> handlerIds();

	/**
	 * Finds a handler that is a method of a bean.
	 * @param id its id
	 * @return its registration, if there is one
	 */
	Optional<HandlerRegistration> findHandler(String id);

	/**
	 * Starts all informers and waits for those that are required. When it fails,
	 * everything is stopped before it throws.
	 * @throws InformerFailedException when a required informer has given up for good
	 * @throws SyncTimeoutException when required informers have not synced in time
	 */
	@Override
	void start();

	@Override
	default int getPhase() {
		return PHASE;
	}

}
