# Rails: raw_post, not params; the path must be free of the CSRF check.
class WebhooksController < ActionController::Base
  skip_before_action :verify_authenticity_token

  def create
    raw = request.raw_post
    verify(raw, request.headers)
    event = JSON.parse(raw)
    head :ok
  end
end
