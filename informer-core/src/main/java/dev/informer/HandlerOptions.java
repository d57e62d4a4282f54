package dev.informer;

import java.time.Duration;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * How a handler wants to be called. Immutable.
 *
 * @param <T> the type of the objects
 * @param name its name in logs, metrics and thread names; {@code null} for one made up
 * from the informer's
 * @param resyncPeriod how often every object is told again though nothing changed;
 * {@link Duration#ZERO} for never, otherwise at least one second
 * @param queue what is kept while the handler is busy
 * @param retry how often a call that throws is tried again
 * @param errorHandler hears of each call that throws, and of the giving up; besides the
 * {@link InformerListener}
 */
public record HandlerOptions<T extends KubernetesObject>(@Nullable String name, Duration resyncPeriod,
		QueuePolicy queue, RetryPolicy retry, @Nullable HandlerErrorHandler<? super T> errorHandler) {

	/**
	 * Checks the values.
	 * @throws IllegalArgumentException when the period is negative
	 */
	public HandlerOptions {
		if (resyncPeriod.isNegative()) {
			throw new IllegalArgumentException("The resync period of a handler must not be negative: " + resyncPeriod);
		}
	}

	/**
	 * No name, no resync, {@link QueuePolicy#COALESCE}, {@link RetryPolicy#DEFAULT}, no
	 * error handler.
	 * @param <T> the type of the objects
	 * @return the defaults
	 */
	public static <T extends KubernetesObject> HandlerOptions<T> defaults() {
		return new HandlerOptions<>(null, Duration.ZERO, QueuePolicy.COALESCE, RetryPolicy.DEFAULT, null);
	}

	/**
	 * Collects the options of one handler. Not thread-safe.
	 *
	 * @param <T> the type of the objects
	 */
	public static final class Builder<T extends KubernetesObject> {

		private @Nullable String name;

		private Duration resyncPeriod;

		private QueuePolicy queue;

		private RetryPolicy retry;

		private @Nullable HandlerErrorHandler<? super T> errorHandler;

		/**
		 * Starts from the defaults.
		 */
		public Builder() {
			this(defaults());
		}

		/**
		 * Starts from what the given options say.
		 * @param options the defaults
		 */
		public Builder(HandlerOptions<T> options) {
			this.name = options.name();
			this.resyncPeriod = options.resyncPeriod();
			this.queue = options.queue();
			this.retry = options.retry();
			this.errorHandler = options.errorHandler();
		}

		/**
		 * Sets the name, which is unique within the informer.
		 * @param name the name
		 * @return this builder
		 */
		public Builder<T> name(@Nullable String name) {
			this.name = name;
			return this;
		}

		/**
		 * Sets how often every object is told again.
		 * @param resyncPeriod the period; zero for never
		 * @return this builder
		 */
		public Builder<T> resyncPeriod(Duration resyncPeriod) {
			this.resyncPeriod = resyncPeriod;
			return this;
		}

		/**
		 * Sets what is kept while the handler is busy.
		 * @param queue the policy
		 * @return this builder
		 */
		public Builder<T> queue(QueuePolicy queue) {
			this.queue = queue;
			return this;
		}

		/**
		 * Sets how often a call that throws is tried again.
		 * @param retry the policy
		 * @return this builder
		 */
		public Builder<T> retry(RetryPolicy retry) {
			this.retry = retry;
			return this;
		}

		/**
		 * Sets who hears of calls that throw.
		 * @param errorHandler the error handler
		 * @return this builder
		 */
		public Builder<T> errorHandler(@Nullable HandlerErrorHandler<? super T> errorHandler) {
			this.errorHandler = errorHandler;
			return this;
		}

		/**
		 * Builds the options.
		 * @return the options
		 */
		public HandlerOptions<T> build() {
			return new HandlerOptions<>(this.name, this.resyncPeriod, this.queue, this.retry, this.errorHandler);
		}

	}

}
