package dev.informer;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * How a handler wants to be called. Immutable.
 *
 * @param name its name in logs, metrics and thread names; {@code null} for one made up
 * from the informer's
 * @param resyncPeriod how often every object is told again though nothing changed;
 * {@link Duration#ZERO} for never, otherwise at least one second
 * @param queue what is kept while the handler is busy
 */
public record HandlerOptions(@Nullable String name, Duration resyncPeriod, QueuePolicy queue) {

	/**
	 * No name, no resync, {@link QueuePolicy#COALESCE}.
	 */
	public static final HandlerOptions DEFAULT = new HandlerOptions(null, Duration.ZERO, QueuePolicy.COALESCE);

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
	 * Collects the options of one handler. Not thread-safe.
	 */
	public static final class Builder {

		private @Nullable String name;

		private Duration resyncPeriod;

		private QueuePolicy queue;

		/**
		 * Starts from what the given options say.
		 * @param options the defaults
		 */
		public Builder(HandlerOptions options) {
			this.name = options.name();
			this.resyncPeriod = options.resyncPeriod();
			this.queue = options.queue();
		}

		/**
		 * Sets the name, which is unique within the informer.
		 * @param name the name
		 * @return this builder
		 */
		public Builder name(String name) {
			this.name = name;
			return this;
		}

		/**
		 * Sets how often every object is told again.
		 * @param resyncPeriod the period; zero for never
		 * @return this builder
		 */
		public Builder resyncPeriod(Duration resyncPeriod) {
			this.resyncPeriod = resyncPeriod;
			return this;
		}

		/**
		 * Sets what is kept while the handler is busy.
		 * @param queue the policy
		 * @return this builder
		 */
		public Builder queue(QueuePolicy queue) {
			this.queue = queue;
			return this;
		}

		/**
		 * Builds the options.
		 * @return the options
		 */
		public HandlerOptions build() {
			return new HandlerOptions(this.name, this.resyncPeriod, this.queue);
		}

	}

}
